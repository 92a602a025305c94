// Writes entries: a notification of an organization into the inboxes of the next members who have none.
import type { NewEvent } from '../../../domain/events.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Notification } from '../../../domain/notifications/notification.ts'
import type { Entry, OrgSend } from '../../../domain/organizations/send.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { appendEvents } from '../../../store/events/feeds.ts'
import { entryTemplate } from '../../../store/notifications/insert.ts'
import { entryBytes, insertEntries } from '../../../store/organizations/entries.ts'
import { listOpenRecipients, setEntries } from '../../../store/organizations/sends.ts'

// A step writes fewer entries if they are large, so that it holds SQLite's writer for a few tens of milliseconds.
const STEP_BYTES = 1_000_000

const entriesPerStep = (bytes: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor(STEP_BYTES / Math.max(bytes, 1))))

// In the order of the members' ids. At most `most` entries. `news`: events of what has become of the notification since it was sent.
export async function writeEntries(
  tx: Writer,
  head: Notification,
  send: OrgSend,
  now: Instant,
  { most, news = () => [] }: { most: number; news?: (entry: Entry) => NewEvent[] },
): Promise<Entry[]> {
  const template = entryTemplate(head, send.orgId)
  const bytes = entryBytes(template)
  const userIds = await listOpenRecipients(tx, send, entriesPerStep(bytes, most))
  const entries = await insertEntries(tx, userIds, template, bytes)
  await setEntries(tx, send.headId, entries)
  for (const entry of entries) {
    const created: NewEvent = { type: 'notification.created', at: now, data: { id: entry.id } }
    await appendEvents(tx, entry.userId, [created, ...news(entry)], { unread: 1, bytes })
  }
  return entries
}

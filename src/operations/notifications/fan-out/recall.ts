// Recalls a notification of an organization: its entries are removed from the inboxes, a step at a time. The head is gone
// already, so no step of the fan-out writes another entry.
import { LIMITS } from '../../../contract/limits.ts'
import type { MessageName } from '../../../domain/apps/news.ts'
import type { UserId } from '../../../domain/caller.ts'
import type { NewEvent } from '../../../domain/events.ts'
import type { Instant } from '../../../domain/instant.ts'
import type { Jobs } from '../../../domain/jobs.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import type { Entry } from '../../../domain/organizations/send.ts'
import { listMessageNames } from '../../../store/apps/messages.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { appendEvent } from '../../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../../store/jobs.ts'
import { deleteNotifications } from '../../../store/notifications/notifications.ts'
import { deleteOpenRecipients, deleteRecipients, deleteSend, listEntries } from '../../../store/organizations/sends.ts'
import type { JobContext } from '../../context.ts'
import type { JobResult } from '../../job-result.ts'
import { enqueueWithdrawal } from '../../push/withdraw.ts'

// How apps of ntfy know the message of the head, and whether devices keep what they show.
type Recalled = Pick<Jobs['recall-notification'], 'sequence' | 'isReplaced' | 'keepsBanners'>

const STEP = LIMITS.organization.membersPerStep

export async function enqueueRecall(
  tx: Writer,
  orgId: UserId,
  notificationId: NotificationId,
  { sequence, isReplaced, keepsBanners }: Recalled,
  now: Instant,
): Promise<void> {
  const payload = { userId: orgId, notificationId, sequence, isReplaced, keepsBanners }
  await enqueueJob(tx, { kind: 'recall-notification', payload, runAt: now })
}

export async function removeEntries(ctx: JobContext, { payload }: Job<'recall-notification'>): Promise<JobResult> {
  const { notificationId: headId } = payload
  const now = ctx.clock.now()
  const entries = await listEntries(ctx.db.read, headId, STEP)
  if (entries.length > 0) return { again: now, record: (tx) => removeSome(tx, headId, payload, entries, now) }
  return {
    done: true,
    record: async (tx) => {
      await deleteOpenRecipients(tx, headId)
      await deleteSend(tx, headId)
    },
  }
}

async function removeSome(
  tx: Writer,
  headId: NotificationId,
  { sequence, isReplaced, keepsBanners = false }: Recalled,
  entries: readonly Entry[],
  now: Instant,
): Promise<void> {
  await deleteRecipients(
    tx,
    headId,
    entries.map(({ userId }) => userId),
  )
  const removed = []
  for (const { userId, id } of entries) {
    const [name] = await listMessageNames(tx, userId, [id])
    const [deleted] = await deleteNotifications(tx, userId, [id])
    if (deleted) removed.push({ userId, name: name && { ...name, sequence, isReplaced }, ...deleted })
  }
  if (!keepsBanners) {
    for (const { userId, id, level, collapseId } of removed) {
      await enqueueWithdrawal(tx, userId, [id], now, { banners: [{ id, level, collapseId }] })
    }
  }
  for (const { userId, id, name, wasUnread, bytes } of removed) {
    const delta = { unread: wasUnread ? -1 : 0, bytes: -bytes }
    await appendEvent(tx, userId, deletedEvent(id, name, keepsBanners, now), delta)
  }
}

// The event of a deleted notification. It has the names by which apps of other services know the message, because nothing
// else has them any more. `name`: read before the deletion. `keepsBanners`: devices keep what they show.
export const deletedEvent = (
  id: NotificationId,
  name: MessageName | undefined,
  keepsBanners: boolean,
  at: Instant,
): NewEvent => ({
  type: 'notification.deleted',
  at,
  data: {
    id,
    source: name?.source,
    sequence: name?.sequence,
    ...((keepsBanners || name?.isReplaced) && { stays_on_apps: true }),
  },
})

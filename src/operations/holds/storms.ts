// Counts pushes by the storm shields of their key and hook, and holds those that are too many.
import type { Sender, Shield } from '../../domain/caller.ts'
import { type Held, type Holdable, heldBy } from '../../domain/holds/hold.ts'
import { isOver, WINDOW_SECONDS, withPush } from '../../domain/holds/storm.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Notification, NotificationDraft } from '../../domain/notifications/notification.ts'
import type { Writer } from '../../store/engine/database.ts'
import { addHeld, lockPushes, updatePushes } from '../../store/holds/storms.ts'
import { enqueueJob } from '../../store/jobs.ts'

// A message that has been composed and not been stored yet, as the rules see it that may hold it.
export type Sendable = {
  draft: NotificationDraft
  push: boolean
  acknowledge?: object
  held?: Held
  shields?: Shield[]
}

export const holdableOf = ({ keyId }: Sender, { draft, push, acknowledge }: Sendable): Holdable => ({
  level: draft.level,
  source: draft.source,
  threadId: draft.threadId,
  push,
  keyId,
  isAlert: acknowledge !== undefined,
})

// Returns whether the message is pushed after all. The rows of the shields stay locked until the commit, so nodes that send at
// the same time count one after the other.
export async function countInStorms(
  tx: Writer,
  sender: Sender,
  message: Sendable,
  now: Instant,
): Promise<{ push: boolean; held?: Held | undefined }> {
  const { push, held, shields = [] } = message
  if (!push || shields.length === 0) return { push, held }
  const counted: { shield: Shield; pushes: Instant[] }[] = []
  for (const shield of shields) counted.push({ shield, pushes: await lockPushes(tx, sender.userId, shield.id) })
  const storm = counted.find(({ shield, pushes }) => isOver(pushes, shield, now))?.shield
  const heldNow = heldBy(holdableOf(sender, message), { mutes: [], quietHours: undefined, storm }, now)
  if (heldNow) return { push: false, held: heldNow }
  for (const { shield, pushes } of counted) await updatePushes(tx, shield.id, withPush(pushes, shield, now))
  return { push }
}

// The summary comes a minute after the first that is held. The next one is enqueued by what is held after it, so summaries
// are at least a minute apart.
export async function countHeld(
  tx: Writer,
  { userId, id, level }: Pick<Notification, 'userId' | 'id' | 'level'>,
  { id: shieldId }: Shield,
  now: Instant,
): Promise<void> {
  await addHeld(tx, shieldId, { id, level })
  const runAt = plusSeconds(now, WINDOW_SECONDS)
  const key = JOB_KEYS.stormSummary(shieldId)
  await enqueueJob(tx, { kind: 'tell-storm', key, payload: { userId, shieldId }, runAt })
}

// The messages that tell of notifications that were held: the digest at the end of the quiet time, and the summary of a
// storm. They cost no quota, and a person's are read from the start: the notifications they tell of are what is unread.
import type { User } from '../../domain/accounts/account.ts'
import type { KeyId, Sender, ShieldId } from '../../domain/caller.ts'
import { digestOf, NO_QUIET_HOURS, quietUntil } from '../../domain/holds/quiet-hours.ts'
import { type HeldInStorm, stormSummary } from '../../domain/holds/storm.ts'
import type { Instant } from '../../domain/instant.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { takeHeld } from '../../store/holds/held-notifications.ts'
import { findQuietHours } from '../../store/holds/quiet-hours.ts'
import { deleteStorm, takeHeldInStorm } from '../../store/holds/storms.ts'
import { findHook } from '../../store/hooks/hooks.ts'
import type { Job } from '../../store/jobs.ts'
import { findKey } from '../../store/keys.ts'
import { findSend } from '../../store/organizations/sends.ts'
import type { Context, JobContext } from '../context.ts'
import { enqueueDigest } from '../holds/digest-job.ts'
import { withHolds } from '../holds/hold.ts'
import type { JobResult } from '../job-result.ts'
import { storeMessage } from './account.ts'
import { composeMessage, type Message } from './store.ts'

// It may be quiet again: the server was down, or the person has changed the hours.
export async function sendDigest(ctx: JobContext, { payload: { userId } }: Job<'send-digest'>): Promise<JobResult> {
  const now = ctx.clock.now()
  const hours = (await findQuietHours(ctx.db.read, userId)) ?? NO_QUIET_HOURS
  const until = quietUntil(hours, now)
  if (until !== undefined) return { done: true, record: (tx) => enqueueDigest(tx, userId, until) }
  return {
    done: true,
    record: async (tx) => {
      const account = await findUser(tx, userId)
      const held = account ? await takeHeld(tx, userId) : []
      if (!account || !hours.digest || held.length === 0) return
      const sender = senderOf(ctx, account, null)
      await storeAndPush(tx, sender, { ...composeMessage(ctx, sender, digestOf(held)), isRead: true }, now)
    },
  }
}

export async function sendStormSummary(ctx: JobContext, { payload }: Job<'tell-storm'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => summarizeStorm(ctx, tx, payload, now) }
}

async function summarizeStorm(
  ctx: Context,
  tx: Writer,
  { userId, shieldId }: Job<'tell-storm'>['payload'],
  now: Instant,
): Promise<void> {
  const account = await findUser(tx, userId)
  if (!account || account.kind === 'closed-organization') return
  if (account.kind === 'organization') await lockUser(tx, userId)
  const shielded = await findShielded(tx, account, shieldId)
  if (!shielded) return deleteStorm(tx, shieldId)
  const held = await takeHeldInStorm(tx, shieldId)
  if (!held) return
  const sender = senderOf(ctx, account, shielded.keyId)
  const message = composeMessage(ctx, sender, stormSummary(shielded, held))
  if (account.kind === 'organization') await sendToSameMembers(tx, sender, message, held, now)
  else await sendUnlessHeld(tx, sender, message, now)
}

// `keyId`: by which people mute it.
type Shielded = { id: ShieldId; name: string; keyId: KeyId }

async function findShielded(tx: Writer, { id: userId }: User, id: ShieldId): Promise<Shielded | undefined> {
  const key = await findKey(tx, userId, id)
  if (key) return { id, name: key.name, keyId: key.id }
  const hook = await findHook(tx, userId, id)
  return hook && { id, name: hook.name, keyId: hook.keyId }
}

// What was held is in the inbox. If mutes or quiet hours hold the summary too, nobody needs it.
async function sendUnlessHeld(tx: Writer, sender: Sender, message: Message, now: Instant): Promise<void> {
  const { push } = await withHolds(tx, sender, message, now)
  if (push) await storeAndPush(tx, { ...sender, keyId: null }, { ...message, isRead: true }, now)
}

// To those whom the newest of the held ones was for.
async function sendToSameMembers(
  tx: Writer,
  sender: Sender,
  message: Message,
  { newestId }: HeldInStorm,
  now: Instant,
): Promise<void> {
  const last = newestId === null ? undefined : await findSend(tx, newestId)
  if (last) await storeAndPush(tx, sender, { ...message, to: last }, now)
}

const senderOf = ({ config }: Context, { id, plan, holdsPushes }: User, keyId: KeyId | null): Sender => ({
  userId: id,
  plan: config.plans.named(plan),
  keyId,
  holdsPushes,
})

async function storeAndPush(tx: Writer, sender: Sender, message: Message, now: Instant): Promise<void> {
  const { pushes } = await storeMessage(tx, sender, { ...message, isFree: true }, now)
  await pushes.enqueue()
}

// The summary of a storm: how many messages of a key or a hook were held in the last minute.
import type { User } from '../../domain/accounts/account.ts'
import type { KeyId, ShieldId } from '../../domain/caller.ts'
import { type HeldInStorm, stormSummary } from '../../domain/holds/storm.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import { findUser, lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { deleteStorm, takeHeldInStorm } from '../../store/holds/storms.ts'
import { findHook } from '../../store/hooks/hooks.ts'
import { findKey } from '../../store/integration-keys.ts'
import type { Job } from '../../store/jobs.ts'
import { findSend } from '../../store/organizations/sends.ts'
import type { Context, JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { composeMessage } from '../notifications/store.ts'
import { enqueueEntryPushes } from '../organizations/sends/pushes.ts'
import { storeOrgSend } from '../organizations/sends/store.ts'
import { withHolds } from './hold.ts'
import { sendOwnMessage } from './own-message.ts'

export async function tellStorm(ctx: JobContext, { payload }: Job<'tell-storm'>): Promise<JobResult> {
  const now = ctx.clock.now()
  return { done: true, record: (tx) => tell(ctx, tx, payload, now) }
}

async function tell(ctx: Context, tx: Writer, payload: Job<'tell-storm'>['payload'], now: Instant): Promise<void> {
  const { userId, shieldId } = payload
  const account = await findUser(tx, userId)
  if (!account || account.kind === 'closed-organization') return
  if (account.kind === 'organization') await lockUser(tx, userId)
  const shielded = await findShielded(tx, account, shieldId)
  if (!shielded) return deleteStorm(tx, shieldId)
  const held = await takeHeldInStorm(tx, shieldId)
  if (!held) return
  const send = account.kind === 'organization' ? tellOrganization : tellPerson
  await send(ctx, tx, account, { ...shielded, held }, now)
}

// `keyId`: by which people mute it.
type Shielded = { id: ShieldId; name: string; keyId: KeyId }
type Telling = Shielded & { held: HeldInStorm }

async function findShielded(tx: Writer, { id: userId }: User, id: ShieldId): Promise<Shielded | undefined> {
  const key = await findKey(tx, userId, id)
  if (key) return { id, name: key.name, keyId: key.id }
  const hook = await findHook(tx, userId, id)
  return hook && { id, name: hook.name, keyId: hook.keyId }
}

// What was held is in the inbox. If mutes or quiet hours hold the summary too, nobody needs it.
async function tellPerson(ctx: Context, tx: Writer, account: User, telling: Telling, now: Instant): Promise<void> {
  const sender = { userId: account.id, plan: account.plan, keyId: telling.keyId, holdsPushes: account.holdsPushes }
  const input = stormSummary(telling, telling.held)
  const { push } = await withHolds(tx, sender, composeMessage(ctx, sender, input), now)
  if (push) await sendOwnMessage(ctx, tx, account, input, now)
}

// To those whom the newest of them was for.
async function tellOrganization(ctx: Context, tx: Writer, org: User, telling: Telling, now: Instant): Promise<void> {
  const { newestId } = telling.held
  const last = newestId === null ? undefined : await findSend(tx, newestId)
  if (!last) return
  const sender = { userId: org.id as OrgId, plan: org.plan, keyId: telling.keyId, holdsPushes: false }
  const message = { ...composeMessage(ctx, sender, stormSummary(telling, telling.held)), isFree: true }
  const { stored, send, entries } = await storeOrgSend(tx, sender, message, last, now)
  await enqueueEntryPushes(tx, send, entries, { collapseId: stored.collapseId }, now)
}

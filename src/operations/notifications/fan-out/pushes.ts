// Enqueues the pushes of entries: to the devices that the target allows, of those who still are members and not muted.
import type { Instant } from '../../../domain/instant.ts'
import type { Jobs, NotificationPushKind } from '../../../domain/jobs.ts'
import type { Entry, OrgSend } from '../../../domain/organizations/send.ts'
import type { Receipt } from '../../../domain/receipts/receipt.ts'
import type { Writer } from '../../../store/engine/database.ts'
import { enqueueClaimedJobs, enqueueJobs } from '../../../store/jobs.ts'
import { listReachedAddresses } from '../../../store/organizations/reach.ts'
import { listAddedSteps } from '../../../store/organizations/sends.ts'
import type { ClaimedJob } from '../../context.ts'
import { pushJob } from '../../push/enqueue.ts'

// `repeat` is 0 for the first push of an alert that repeats, and absent if the alert does not repeat.
export type PushDetails = Pick<Jobs['push-notification'], 'collapseId' | 'repeat'>

// For a sender that does not wait: the workers claim the jobs.
export async function enqueueEntryPushes(
  tx: Writer,
  send: OrgSend,
  entries: readonly Entry[],
  push: PushDetails,
  now: Instant,
): Promise<void> {
  for (const { kind, payloads } of await pushesOf(tx, send, entries, push, now)) {
    await enqueueJobs(tx, { kind, payloads, runAt: now })
  }
}

// For a sender that waits: the jobs are claimed by this process, which runs the first attempt after the commit.
export async function enqueueClaimedEntryPushes(
  tx: Writer,
  send: OrgSend,
  entries: readonly Entry[],
  push: PushDetails,
  now: Instant,
): Promise<ClaimedJob[]> {
  const claimed: ClaimedJob[] = []
  for (const { kind, payloads } of await pushesOf(tx, send, entries, push, now)) {
    const jobs = await enqueueClaimedJobs(tx, { kind, payloads }, now)
    claimed.push(...jobs.map((job) => ({ job })))
  }
  return claimed
}

// The same for an alert, to members whom steps of its escalation policy may have added: each step has a target of its own.
// Only tags choose among the devices of a member, so other targets make no difference.
export async function enqueueAlertPushes(
  tx: Writer,
  { send, receipt }: { send: OrgSend; receipt: Receipt | undefined },
  entries: readonly Entry[],
  push: PushDetails,
  now: Instant,
): Promise<void> {
  const steps = receipt?.escalation?.steps ?? []
  const isByTags = send.targetIds.tagIds !== null || steps.some(({ targetIds }) => targetIds?.tagIds)
  const isSplit = isByTags && entries.length > 0 && (receipt?.escalatedSteps ?? 0) > 0
  if (!isSplit) return enqueueEntryPushes(tx, send, entries, push, now)
  const userIds = entries.map(({ userId }) => userId)
  const stepOf = await listAddedSteps(tx, send.headId, userIds)
  for (const [step, those] of Map.groupBy(entries, ({ userId }) => stepOf.get(userId) ?? 0)) {
    const targetIds = steps[step - 1]?.targetIds ?? send.targetIds
    await enqueueEntryPushes(tx, { ...send, targetIds }, those, push, now)
  }
}

async function pushesOf(
  tx: Writer,
  { orgId, targetIds }: OrgSend,
  entries: readonly Entry[],
  push: PushDetails,
  now: Instant,
): Promise<{ kind: NotificationPushKind; payloads: Jobs[NotificationPushKind][] }[]> {
  const entryOf = new Map(entries.map(({ userId, id }) => [userId, id]))
  const addresses = await listReachedAddresses(tx, orgId, targetIds, [...entryOf.keys()], now)
  const jobs = addresses.flatMap((address) => {
    const notificationId = entryOf.get(address.userId)
    return notificationId === undefined ? [] : [pushJob({ userId: address.userId, notificationId, ...push }, address)]
  })
  const ofKinds = Map.groupBy(jobs, ({ kind }) => kind)
  return [...ofKinds].map(([kind, some]) => ({ kind, payloads: some.map(({ payload }) => payload) }))
}

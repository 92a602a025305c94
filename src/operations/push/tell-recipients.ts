// Tells the members who got a notification of an organization what became of it, a step at a time: that it was answered, or
// that its alert has ended. Banners that need no attention any more are withdrawn.
import { LIMITS } from '../../contract/limits.ts'
import type { UserId } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Instant } from '../../domain/instant.ts'
import type { Jobs, OrgSendNews } from '../../domain/jobs.ts'
import { acknowledges } from '../../domain/notifications/acknowledge.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Entry } from '../../domain/organizations/send.ts'
import { receiptEvent } from '../../domain/receipts/receipt.ts'
import { findUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { findAnswer } from '../../store/notifications/answers.ts'
import { findLastRecipient, findSend, listLiveEntries } from '../../store/organizations/sends.ts'
import { findReceipt } from '../../store/receipts.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'
import { enqueueEnding } from './bark.ts'
import { enqueueWithdrawal } from './withdraw.ts'

const STEP = LIMITS.organization.membersPerStep

// Does nothing for a notification of a person.
export async function tellRecipients(
  tx: Writer,
  { userId, notificationId }: { userId: UserId; notificationId: NotificationId },
  news: OrgSendNews,
  now: Instant,
): Promise<boolean> {
  const send = await findSend(tx, notificationId)
  if (!send) return false
  const upTo = await findLastRecipient(tx, notificationId)
  const payload = upTo && { userId, notificationId, news, upTo }
  if (payload) await enqueueJob(tx, { kind: 'tell-recipients', payload, runAt: now })
  return true
}

export async function tellSomeRecipients(
  ctx: JobContext,
  { payload }: Job<'tell-recipients'>,
): Promise<JobResult<'tell-recipients'>> {
  const { notificationId: headId, upTo, after } = payload
  const now = ctx.clock.now()
  const send = await findSend(ctx.db.read, headId)
  const eventOf = await eventMaker(ctx.db.read, payload, now)
  if (!send || !eventOf) return { done: true }
  const entries = await listLiveEntries(ctx.db.read, send, { after, upTo }, STEP)
  const shown = await endingOf(ctx.db.read, payload)
  const record = (tx: Writer) => tell(tx, entries, eventOf, { news: payload.news, shown, now })
  const last = entries.at(-1)
  if (!last || entries.length < STEP) return { done: true, record }
  return { again: now, payload: { ...payload, after: last.userId }, record }
}

async function tell(
  tx: Writer,
  entries: readonly Entry[],
  eventOf: (entry: Entry) => NewEvent,
  { news, shown, now }: { news: OrgSendNews; shown: ShownEnding | undefined; now: Instant },
): Promise<void> {
  for (const { userId, id } of entries) {
    if (news !== 'expired') await enqueueWithdrawal(tx, userId, [id], now, { staysOnApps: true })
    if (shown) await enqueueEnding(tx, { userId, notificationId: id, ...shown }, now)
  }
  await appendToFeeds(
    tx,
    entries.map((entry) => ({ userId: entry.userId, event: eventOf(entry) })),
  )
}

// `by`: the member who answered or acknowledged it.
type ShownEnding = { ending: OrgSendNews; by: string | undefined }

// What phones show in place of the message. Undefined for an answer that acknowledges, because that is told as well.
async function endingOf(
  db: Reader,
  { userId, notificationId, news }: Pick<Jobs['tell-recipients'], 'userId' | 'notificationId' | 'news'>,
): Promise<ShownEnding | undefined> {
  const receipt = await findReceipt(db, userId, notificationId)
  const answer = news === 'answered' ? await findAnswer(db, userId, notificationId) : undefined
  if (receipt && answer?.given && acknowledges(answer.actions, answer.given.actionId)) return undefined
  const by = answer ? answer.given?.by : receipt?.acknowledgedBy
  return { ending: news, by: (by && (await findUser(db, by))?.nickname) ?? undefined }
}

// Makes the event of an entry. Undefined if the answer or the receipt is not there any more.
export async function eventMaker(
  db: Reader,
  { userId, notificationId, news }: Pick<Jobs['tell-recipients'], 'userId' | 'notificationId' | 'news'>,
  at: Instant,
): Promise<((entry: Entry) => NewEvent) | undefined> {
  if (news === 'answered') {
    const given = (await findAnswer(db, userId, notificationId))?.given
    return (
      given &&
      (({ id }) => ({ type: 'notification.answered', at, data: { id, action_id: given.actionId, text: given.text } }))
    )
  }
  const receipt = await findReceipt(db, userId, notificationId)
  return receipt && (({ id }) => receiptEvent(`receipt.${news}`, { ...receipt, notificationId: id }, at))
}

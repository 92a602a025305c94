// Answers to notifications: the first one wins, and requests that wait for it return at once.
import type { AnswerInput, TicketAnswer } from '../../contract/answers.ts'
import { Problem } from '../../contract/problems.ts'
import { validationProblem } from '../../contract/validation.ts'
import { type Answer, checkAnswer } from '../../domain/answers/answer.ts'
import { readApprovalTicket, readTicket } from '../../domain/answers/answer-ticket.ts'
import type { Caller } from '../../domain/caller.ts'
import { deviceId } from '../../domain/devices.ts'
import { acknowledges } from '../../domain/notifications/acknowledge.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { EntryOrigin } from '../../domain/organizations/send.ts'
import { requireLevel, requireUser } from '../../domain/permissions.ts'
import type { SeenActivity } from '../../domain/shares/standing.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import { findDevice } from '../../store/devices/devices.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { answerTopic, findAnswer, findAnswerByTicket, giveAnswer } from '../../store/notifications/answers.ts'
import { insertTimeline, type NewTimelineEntry } from '../../store/notifications/timeline.ts'
import { findOrigin, findOriginByTicket } from '../../store/organizations/entries.ts'
import { findReceipt } from '../../store/receipts.ts'
import { answerView } from '../../views/answers.ts'
import { answerApprovalByTicket } from '../activities/answers.ts'
import { settleRemoval } from '../apps/bark/manage.ts'
import type { Context } from '../context.ts'
import { enqueueEnding } from '../push/bark.ts'
import { tellRecipients } from '../push/tell-recipients.ts'
import { endReceipts } from '../receipts/end.ts'
import { headIdOf } from '../receipts/receipts.ts'
import { type Wait, waitUntil } from '../wait-until.ts'

export async function readAnswer(ctx: Context, caller: Caller, id: NotificationId, wait: Wait): Promise<Answer> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'notifications', 'send')
    const answer = await findVisible(ctx, caller, id)
    return { value: { ...answer, notificationId: id }, isFinal: answer.given !== undefined }
  }
  if (wait.seconds === 0) return (await look(caller)).value
  const topics = [answerTopic(await headIdOf(ctx, caller, id))]
  return waitUntil(ctx, caller, { ...wait, topics }, look)
}

export async function answerAsUser(
  ctx: Context,
  caller: Caller,
  id: NotificationId,
  input: AnswerInput,
): Promise<Answer> {
  requireUser(caller)
  const own = await findAnswer(ctx.db.read, caller.userId, id)
  if (own) return recordAnswer(ctx, own, input)
  const entry = await findOrigin(ctx.db.read, caller.userId, id)
  if (!entry) throw answerNotFound(id)
  return answerAsMember(ctx, entry, input)
}

// A ticket is carried by a push and names one notification or one approval.
export async function answerByTicket(
  ctx: Context,
  ticket: string,
  { option, action_id, ...rest }: TicketAnswer,
): Promise<Answer | SeenActivity> {
  const approval = readApprovalTicket(ctx.signingKey, ticket)
  if (approval) return answerApprovalByTicket(ctx, approval, required('option', option))
  const input = { ...rest, action_id: required('action_id', action_id) }
  const known = await findAnswerOfTicket(ctx, ticket)
  if (!known) throw new Problem('notification_answer.not_found', 'This ticket is unknown or too old.')
  return recordAnswer(ctx, known.answer, input, known.entry)
}

// `entry`: if the ticket is that of a member of an organization.
export async function findAnswerOfTicket(
  { signingKey, db }: Context,
  ticket: string,
): Promise<{ answer: Answer; entry?: EntryOrigin } | undefined> {
  const id = readTicket(signingKey, ticket)
  if (id === undefined) return undefined
  const own = await findAnswerByTicket(db.read, id)
  if (own) return { answer: own }
  const entry = await findOriginByTicket(db.read, id)
  const answer = entry && (await findAnswer(db.read, entry.orgId, entry.headId))
  return answer && { answer, entry }
}

// For the members the notification has the id of their entry.
async function answerAsMember(ctx: Context, entry: EntryOrigin, input: AnswerInput): Promise<Answer> {
  const answer = await findAnswer(ctx.db.read, entry.orgId, entry.headId)
  if (!answer) throw answerNotFound(entry.entryId)
  return recordAnswer(ctx, answer, input, entry)
}

function required(member: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw validationProblem([{ location: `body.${member}`, message: 'is required' }])
}

// `entry`: if a member answers a notification of an organization.
async function recordAnswer(ctx: Context, answer: Answer, input: AnswerInput, entry?: EntryOrigin): Promise<Answer> {
  checkAnswer(answer.actions, input)
  const now = ctx.clock.now()
  const given = {
    actionId: input.action_id,
    text: input.text || undefined,
    device: input.device_id,
    at: now,
    by: entry?.userId,
  }
  const isFirst = await ctx.db.transact((tx) => record(tx, answer, given, entry))
  const shownAs = (known: Answer): Answer => (entry ? { ...known, notificationId: entry.entryId } : known)
  if (isFirst) return shownAs({ ...answer, given })
  const first = (await findAnswer(ctx.db.read, answer.userId, answer.notificationId)) ?? answer
  throw new Problem('notification_answer.already_answered', 'This notification has been answered already.', {
    answer: answerView(shownAs(first)),
  })
}

type Given = NonNullable<Answer['given']> & { device?: string }

// Returns false if there was an answer already.
async function record(tx: Writer, answer: Answer, given: Given, entry: EntryOrigin | undefined): Promise<boolean> {
  const { userId, notificationId } = answer
  const { at } = given
  if (entry) await requireStillMember(tx, entry)
  const isFirst = await giveAnswer(tx, answer, given)
  const person = entry?.userId ?? userId
  // A ticket does not prove the device id, so only the name of a known device is recorded.
  const device = given.device ? (await findDevice(tx, person, deviceId(given.device)))?.name : undefined
  const isAcknowledgement = acknowledges(answer.actions, given.actionId)
  const ending = { status: 'acknowledged', by: person, device, actionId: given.actionId } as const
  if (isAcknowledgement) await endReceipts(tx, [answer], ending, at)
  if (!isFirst) return false
  const event: NewTimelineEntry = { at, event: 'answered', device, detail: given.actionId }
  await insertTimeline(tx, userId, notificationId, event)
  if (entry) {
    await insertTimeline(tx, person, entry.entryId, event)
    await tellRecipients(tx, answer, 'answered', at)
  } else if (!isAcknowledgement || (await findReceipt(tx, userId, notificationId)) === undefined) {
    await enqueueEnding(tx, { userId, notificationId, ending: 'answered' }, at)
  }
  await settleRemoval(tx, userId, notificationId, given.actionId, at)
  const data = { id: notificationId, action_id: given.actionId, text: given.text }
  await appendEvent(tx, userId, { type: 'notification.answered', at, data })
  return true
}

// Removal takes the lock on the organization too: it comes before the answer, which is then refused, or after it.
async function requireStillMember(tx: Writer, { orgId, userId, entryId }: EntryOrigin): Promise<void> {
  await lockUser(tx, orgId)
  if (!(await findOrigin(tx, userId, entryId))) throw answerNotFound(entryId)
}

// A key reads the answers to the notifications it sent; others look as if they did not exist. A member reads the answer to
// an entry.
async function findVisible(ctx: Context, caller: Caller, id: NotificationId): Promise<Answer> {
  const answer = await findAnswer(ctx.db.read, caller.userId, id)
  if (answer && (caller.kind !== 'key' || answer.keyId === caller.keyId)) return answer
  const entry = caller.kind === 'user' ? await findOrigin(ctx.db.read, caller.userId, id) : undefined
  const ofOrganization = entry && (await findAnswer(ctx.db.read, entry.orgId, entry.headId))
  if (!ofOrganization) throw answerNotFound(id)
  return ofOrganization
}

const answerNotFound = (id: NotificationId) =>
  new Problem('notification_answer.not_found', `There is no answer to wait for at notification ${id}.`)

// Answers to notifications: the first one wins, and requests that wait for it return at once.
import type { AnswerInput, TicketAnswer } from '../../contract/answer.ts'
import { Problem } from '../../contract/problems.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { Caller } from '../../domain/caller.ts'
import { deviceId } from '../../domain/device.ts'
import type { Answer } from '../../domain/notifications/answer.ts'
import { checkAnswer } from '../../domain/notifications/answer.ts'
import { readApprovalTicket, readTicket } from '../../domain/notifications/answer-ticket.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import { requireLevel, requireUser } from '../../domain/permissions.ts'
import { isRecordable } from '../../domain/receipts/acknowledge.ts'
import type { SeenActivity } from '../../domain/shares/standing.ts'
import { findDevice } from '../../store/devices.ts'
import { appendEvent } from '../../store/feeds.ts'
import { answerTopic, findAnswer, findAnswerByTicket, giveAnswer } from '../../store/notifications/answers.ts'
import { insertTimeline } from '../../store/notifications/timeline.ts'
import { answerView } from '../../views/answer.ts'
import { answerApprovalByTicket } from '../activities/answers.ts'
import type { Context } from '../context.ts'
import { endReceipts } from '../receipts/end.ts'
import { waitUntil } from '../wait-until.ts'

export async function readAnswer(
  ctx: Context,
  caller: Caller,
  id: NotificationId,
  wait: { seconds: number; gone: AbortSignal },
): Promise<Answer> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'notifications', 'send')
    const answer = await visibleAnswer(ctx, caller, id)
    return { value: answer, isFinal: answer.given !== undefined }
  }
  if (wait.seconds === 0) return (await look(caller)).value
  return waitUntil(ctx, caller, { ...wait, topics: [answerTopic(id)] }, look)
}

export async function answerAsUser(
  ctx: Context,
  caller: Caller,
  id: NotificationId,
  input: AnswerInput,
): Promise<Answer> {
  requireUser(caller)
  const answer = await findAnswer(ctx.db.read, caller.userId, id)
  if (!answer) throw answerNotFound(id)
  return recordAnswer(ctx, answer, input)
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
  const id = readTicket(ctx.signingKey, ticket)
  const answer = id === undefined ? undefined : await findAnswerByTicket(ctx.db.read, id)
  if (!answer) throw new Problem('notification_answer.not_found', 'This ticket is unknown or too old.')
  return recordAnswer(ctx, answer, input)
}

function required(member: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw validationProblem([{ location: `body.${member}`, message: 'is required' }])
}

async function recordAnswer(ctx: Context, answer: Answer, input: AnswerInput): Promise<Answer> {
  checkAnswer(answer.actions, input)
  const now = ctx.clock.now()
  const given = { actionId: input.action_id, text: input.text || undefined, device: input.device_id, at: now }
  const { userId, notificationId } = answer
  const isFirst = await ctx.db.transact(async (tx) => {
    const isFirst = await giveAnswer(tx, answer, given)
    // A ticket does not prove the device id, so only the name of a known device is recorded.
    const device = input.device_id ? (await findDevice(tx, userId, deviceId(input.device_id)))?.name : undefined
    // A recordable action acknowledges the alert even if an earlier answer, which only opened the app, was the first.
    const acknowledges = answer.actions.some((action) => action.id === given.actionId && isRecordable(action))
    const ending = { status: 'acknowledged', by: userId, device, actionId: given.actionId } as const
    if (acknowledges) await endReceipts(tx, [answer], ending, now)
    if (!isFirst) return false
    await insertTimeline(tx, userId, notificationId, { at: now, event: 'answered', device, detail: given.actionId })
    const data = { id: notificationId, action_id: given.actionId, text: given.text }
    await appendEvent(tx, userId, { type: 'notification.answered', at: now, data })
    return true
  })
  if (isFirst) return { ...answer, given }
  const first = (await findAnswer(ctx.db.read, userId, notificationId)) ?? answer
  throw new Problem('notification_answer.already_answered', 'This notification has been answered already.', {
    answer: answerView(first),
  })
}

// A key reads the answers to the notifications it sent; others look as if they did not exist.
async function visibleAnswer(ctx: Context, caller: Caller, id: NotificationId): Promise<Answer> {
  const answer = await findAnswer(ctx.db.read, caller.userId, id)
  if (!answer || (caller.kind === 'key' && answer.keyId !== caller.keyId)) throw answerNotFound(id)
  return answer
}

const answerNotFound = (id: NotificationId) =>
  new Problem('notification_answer.not_found', `There is no answer to wait for at notification ${id}.`)

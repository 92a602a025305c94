// Carries out what a request to a hook says: a notification, a live activity, or nothing.
import { Problem, type ProblemName } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Hook, HookKind } from '../../domain/hooks/hook.ts'
import { type Dropped, type HookMessage, isDropped } from '../../domain/hooks/message.ts'
import { isWanted, toNotification } from '../../domain/hooks/notification.ts'
import type { HookOutcome } from '../../domain/hooks/request.ts'
import type { IncomingNotification, NotificationId } from '../../domain/notifications/notification.ts'
import { hashToken } from '../../domain/token.ts'
import type { Context } from '../context.ts'
import type { IdempotentRequest } from '../idempotency.ts'
import { WITHOUT_ESCALATION, withoutReceipt } from '../notifications/degrade.ts'
import { sendNotification } from '../notifications/send.ts'
import { endAlert, findAlert } from './alerts.ts'
import { showRun } from './runs.ts'

// `deliveryId`: the sender's id of the request, by which a repeated one is recognized.
export type ReportedHook = { hook: Hook; kind: HookKind; deliveryId?: string }

export async function carryOut(
  ctx: Context,
  caller: Caller,
  reported: ReportedHook,
  report: HookMessage | Dropped,
): Promise<HookOutcome> {
  const { hook, kind } = reported
  const dropped = (detail: string): HookOutcome => ({ result: 'dropped', kind, notification_ids: [], detail })
  if (isDropped(report)) return dropped(report.dropped)
  if (!isWanted(report, hook.options)) return dropped(`The hook does not report ${report.event}.`)
  if (report.run) {
    const shown = await showRun(ctx, caller, report.run)
    if (shown === 'shown') return { result: 'activity', kind, notification_ids: [], activity_slug: report.run.slug }
    if (report.isRunOnly) return dropped(shown.failed)
  }
  return tell(ctx, caller, reported, report)
}

async function tell(ctx: Context, caller: Caller, reported: ReportedHook, message: HookMessage): Promise<HookOutcome> {
  const { hook, kind } = reported
  const notification = toNotification(hook, kind, message)
  const alert = await findAlert(ctx, hook, notification.collapse_id)
  if (message.onlyAfterFiring && !alert.isFiring) {
    return { result: 'dropped', kind, notification_ids: [], detail: 'A success that follows no failure.' }
  }
  const isResolved = message.state === 'resolved'
  const { resolved = 'notify' } = hook.options
  if (isResolved && resolved === 'drop') {
    await endAlert(ctx, hook, alert, { isRead: false })
    return { result: 'dropped', kind, notification_ids: [], detail: 'The end of an alert.' }
  }
  const { id, isDuplicate } = await send(ctx, caller, notification, reported)
  // An alert that fired again after the first delivery has not ended.
  if (isDuplicate) return { result: 'duplicate', kind, notification_ids: [id] }
  if (isResolved) await endAlert(ctx, hook, alert, { isRead: true, quiet: resolved === 'quiet' ? id : undefined })
  return { result: 'sent', kind, notification_ids: [id] }
}

type Sent = { id: NotificationId; isDuplicate: boolean }

// An alert that cannot wait for an acknowledgement is sent without.
const WITHOUT_RECEIPT: ProblemName[] = ['notification_receipt.limit_exceeded', 'notification_receipt.disabled']

async function send(
  ctx: Context,
  caller: Caller,
  notification: IncomingNotification,
  reported: ReportedHook,
): Promise<Sent> {
  const request = idempotentRequest(reported)
  try {
    const sent = await sendNotification(ctx, caller, notification, request)
    const id = 'result' in sent ? sent.result.notification.id : JSON.parse(sent.storedBody).id
    return { id, isDuplicate: sent.isReplay }
  } catch (error) {
    return send(ctx, caller, degradeAlert(ctx, caller, notification, error), reported)
  }
}

// Throws the error again if leaving something out does not help.
function degradeAlert(
  ctx: Context,
  { userId }: Caller,
  notification: IncomingNotification,
  error: unknown,
): IncomingNotification {
  const { acknowledge } = notification
  if (!(error instanceof Problem) || !acknowledge) throw error
  const { problem } = error
  if (acknowledge.escalation !== undefined && WITHOUT_ESCALATION.includes(problem)) {
    return { ...notification, acknowledge: {} }
  }
  if (!WITHOUT_RECEIPT.includes(problem)) throw error
  return { ...notification, acknowledge: undefined, noReceipt: withoutReceipt(ctx, userId, error) }
}

// The id alone decides: senders change a body that they repeat, such as its time.
const idempotentRequest = ({ hook, deliveryId }: ReportedHook): IdempotentRequest | undefined =>
  deliveryId === undefined ? undefined : { key: hashToken(deliveryId), route: `POST /hooks/${hook.id}`, body: null }

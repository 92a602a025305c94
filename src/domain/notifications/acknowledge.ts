// The `acknowledge` option: its rules, its defaults, and the button that the server adds.
import { LIMITS } from '../../contract/limits.ts'
import type { NotificationAction, NotificationInput } from '../../contract/notifications/notification.ts'
import type { Violation } from '../../contract/problems.ts'
import { TAG_PATTERN } from '../../contract/receipts.ts'
import { forbiddenUrlReason } from '../address-rules.ts'
import type { IncomingNotification, NotificationId } from './notification.ts'

// Pushover's is an unsigned form, which tells of the acknowledgement only.
export type CallbackForm = 'pushover'

// The request of the sender with the defaults applied.
export type Acknowledgement = {
  repeatSeconds: number
  // Undefined: the default, or as long as the steps of the policy take.
  expireSeconds?: number
  tags: string[]
  // The slug of the policy.
  escalation?: string
  callback?: { url: string; form?: CallbackForm }
  // Over the cap of the account the alert shares the receipt of one of these, if one fits.
  sharesWith?: NotificationId[]
}

// Only a key can have callbacks, which its secret signs. `outboundAllow`: private ranges that the operator has opened.
export type CallbackRules = { isKey: boolean; outboundAllow: readonly string[] }

const ACKNOWLEDGE_ACTION_ID = 'pw_ack'
const ACKNOWLEDGE_ACTION_TITLE = 'Acknowledge'

export function acknowledgementOf(sent: IncomingNotification): Acknowledgement | undefined {
  if (!sent.acknowledge) return undefined
  return {
    repeatSeconds: sent.acknowledge.repeat_seconds ?? LIMITS.acknowledge.repeatSeconds.default,
    expireSeconds: sent.acknowledge.expire_seconds,
    tags: [...new Set(sent.tags)],
    escalation: sent.acknowledge.escalation,
    callback: callbackOf(sent),
  }
}

function callbackOf({ callback_url, pushoverCallback }: IncomingNotification): Acknowledgement['callback'] {
  if (pushoverCallback) return { url: pushoverCallback, form: 'pushover' }
  return callback_url ? { url: callback_url } : undefined
}

// A device reports such an action without opening anything. Each of them also acknowledges.
export const isRecordable = (action: NotificationAction): boolean => action.url === undefined && !action.foreground

// Whether an answer acknowledges the alert; also if an earlier one, which only opened the app, was the first.
export const acknowledges = (actions: NotificationAction[], actionId: string): boolean =>
  actions.some((action) => action.id === actionId && isRecordable(action))

// Without a recordable button nobody could acknowledge the alert.
export function withAcknowledgeAction(
  actions: NotificationAction[],
  acknowledge: NotificationInput['acknowledge'],
): NotificationAction[] {
  if (!acknowledge || actions.some(isRecordable)) return actions
  return [...actions, { id: ACKNOWLEDGE_ACTION_ID, title: acknowledge.action_title || ACKNOWLEDGE_ACTION_TITLE }]
}

export function reservedIdViolations(location: string, id: string): Violation[] {
  return id === ACKNOWLEDGE_ACTION_ID ? [{ location, message: 'must not be pw_ack, which is reserved' }] : []
}

export function acknowledgeViolations(
  sent: NotificationInput,
  actions: NotificationAction[],
  rules: CallbackRules,
): Violation[] {
  const { acknowledge, tags = [], callback_url } = sent
  if (!acknowledge) return withoutAcknowledge(sent)
  const location = 'body.acknowledge'
  const hasRoom = withAcknowledgeAction(actions, acknowledge).length <= LIMITS.notification.maxActions
  return [
    ...(sent.push === false ? [{ location, message: 'is not possible with push false' }] : []),
    ...(sent.level === 'passive' ? [{ location, message: 'is not possible with the level passive' }] : []),
    ...(hasRoom ? [] : [{ location: 'body.actions', message: NO_ROOM }]),
    ...tags.flatMap((tag, index) => tagViolations(`body.tags[${index}]`, tag)),
    ...(callback_url === undefined ? [] : callbackViolations('body.callback_url', callback_url, rules)),
  ]
}

const NO_ROOM = 'must leave room for the button that acknowledges, or have one without url and foreground'

const TAG = new RegExp(TAG_PATTERN)

function tagViolations(location: string, tag: string): Violation[] {
  if (TAG.test(tag)) return []
  const bound = `1 to ${LIMITS.acknowledge.maxTagChars}`
  return [{ location, message: `must have ${bound} printable ASCII characters and no space` }]
}

function callbackViolations(location: string, url: string, { isKey, outboundAllow }: CallbackRules): Violation[] {
  if (!isKey) return [{ location, message: 'is only for integration keys (hlk_…), whose secret signs the callback' }]
  const message = forbiddenUrlReason(url, outboundAllow)
  return message === undefined ? [] : [{ location, message }]
}

function withoutAcknowledge({ tags = [], callback_url }: NotificationInput): Violation[] {
  const message = 'is only possible with acknowledge'
  return [
    ...(tags.length > 0 ? [{ location: 'body.tags', message }] : []),
    ...(callback_url === undefined ? [] : [{ location: 'body.callback_url', message }]),
  ]
}

// A notification: what may be sent, which of its actions are answered here, and how its delivery is reported.
import { Buffer } from 'node:buffer'
import type { AnswerInput } from '../../contract/answer.ts'
import type { NotificationId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import type {
  NotificationAction as ActionDocument,
  NotificationInput,
  NotificationView,
  SentNotificationView,
} from '../../contract/notification.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { inOneSentence, validationProblem } from '../../contract/validation.ts'
import type { KeyId, UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import {
  acknowledgeViolations,
  type CallbackRules,
  reservedIdViolations,
  withAcknowledgeAction,
} from '../receipts/acknowledge.ts'
import { actionViolations, urlViolations, withUpperCaseMethod } from './action-rules.ts'
import { envelopeViolations } from './envelope.ts'
import { requireNoTarget } from './target.ts'

export type { NotificationId }

// A client's document, like the content of a widget: it keeps its wire names. Methods are in upper case.
export type NotificationAction = ActionDocument

export type NotificationDraft = {
  title: string
  body: string
  subtitle?: string
  level: NotificationView['level']
  volume?: number
  threadId?: string
  source?: string
  sourceDisplayName?: string
  url?: string
  media?: NonNullable<NotificationInput['media']>
  actions?: NotificationAction[]
  iconUrl?: string
  metadata?: Record<string, string>
  activitySlug?: string
  encrypted?: string
}

export type Notification = NotificationDraft & {
  id: NotificationId
  userId: UserId
  keyId: KeyId | null
  pushed: boolean
  createdAt: Instant
  readAt: Instant | null
}

// Without rules for callbacks there are none.
export function draftNotification(input: NotificationInput, callbacks = NO_CALLBACKS): NotificationDraft {
  const sent = withoutEmptyText(input)
  const shown = shownText(sent)
  requireNoTarget(sent.target)
  const given = (sent.actions ?? []).map((action) => withUpperCaseMethod(withoutEmptyText(action)))
  const metadata = sent.metadata ?? {}
  const errors = [...ruleViolations(sent, given, metadata), ...acknowledgeViolations(sent, given, callbacks)]
  if (errors.length > 0) throw new Problem('notification.invalid', inOneSentence(errors), { errors })
  const actions = withAcknowledgeAction(given, sent.acknowledge)
  const level = sent.level ?? 'active'
  return {
    title: shown.title,
    body: shown.body,
    subtitle: sent.subtitle,
    level,
    // Only critical alerts have a volume of their own.
    volume: level === 'critical' ? sent.volume : undefined,
    threadId: sent.thread_id,
    source: sent.source,
    sourceDisplayName: sent.source_display_name,
    url: sent.url,
    media: sent.media,
    actions: actions.length > 0 ? actions : undefined,
    iconUrl: sent.icon_url,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    activitySlug: sent.activity_slug,
    encrypted: sent.encrypted,
  }
}

const NO_CALLBACKS: CallbackRules = { isKey: false, outboundAllow: [] }

type WithActions = Pick<NotificationDraft, 'actions'>

// Wider than recordable, as the specification has it: an answer can come as soon as any action has no url. If choosing
// that action opens the app, it is the app that answers.
export function answerableActions({ actions = [] }: WithActions): NotificationAction[] {
  return actions.filter((action) => action.url === undefined)
}

export const isAnswerable = (draft: WithActions): boolean => answerableActions(draft).length > 0

export function checkAnswer(actions: NotificationAction[], { action_id, text }: AnswerInput): void {
  const action = actions.find(({ id }) => id === action_id)
  if (!action || action.url !== undefined) {
    const errors = [{ location: 'body.action_id', message: 'must be the id of an action without a url' }]
    throw new Problem('notification_answer.action_unknown', inOneSentence(errors), { errors })
  }
  if (text && !action.text_input) {
    throw validationProblem([{ location: 'body.text', message: 'is only possible for an action with text_input' }])
  }
}

// One outcome for each device. `open`: the provider has not answered in time. `left_out`: the device has no push channel
// and its event stream is not open, so it does not count.
export type PushOutcome = 'accepted' | 'refused' | 'open' | 'left_out'

export type Delivery = Pick<SentNotificationView, 'delivery' | 'reason'>

export function deliveryOf(outcomes: PushOutcome[], push: boolean): Delivery {
  if (!push) return { delivery: 'none', reason: 'push_disabled' }
  const counted = outcomes.filter((outcome) => outcome !== 'left_out')
  if (counted.length === 0) return { delivery: 'none', reason: 'no_apns_token' }
  const accepted = counted.filter((outcome) => outcome === 'accepted').length
  if (accepted === counted.length) return { delivery: 'all' }
  return { delivery: accepted > 0 ? 'partial' : 'none', reason: 'apns_rejected' }
}

// Every member that the schema lets be "" is optional, so what is left is still a whole document.
function withoutEmptyText<Document extends object>(document: Document): Document {
  if (!Object.values(document).includes('')) return document
  return Object.fromEntries(Object.entries(document).filter(([, member]) => member !== '')) as Document
}

const SEALED_TEXT = { title: 'Encrypted notification', body: 'End-to-end encrypted.' }

// A missing title is a matter of shape, hence 422. It is not in the schema, because a condition there would blame the
// whole body as well.
function shownText({ title, body, encrypted }: NotificationInput): { title: string; body: string } {
  if (encrypted !== undefined) return SEALED_TEXT
  if (title !== undefined && body !== undefined) return { title, body }
  const missing = Object.entries({ title, body }).filter(([, text]) => text === undefined)
  throw validationProblem(
    missing.map(([name]) => ({ location: `body.${name}`, message: 'is required and must not be empty' })),
  )
}

function ruleViolations(
  sent: NotificationInput,
  actions: NotificationAction[],
  metadata: Record<string, string>,
): Violation[] {
  const { encrypted, url, media, icon_url } = sent
  return [
    encrypted === undefined ? [] : sealedViolations(sent, encrypted),
    url === undefined ? [] : urlViolations('body.url', url),
    media === undefined ? [] : fetchedUrlViolations('body.media.url', media.url, ['https:']),
    icon_url === undefined ? [] : fetchedUrlViolations('body.icon_url', icon_url, HTTP),
    actions.flatMap((action, index) => [
      ...idViolations(`body.actions[${index}].id`, action.id, actions.slice(0, index)),
      ...actionViolations(`body.actions[${index}]`, { ...action, url: action.url ?? URL_TO_NOWHERE }),
      ...textInputViolations(`body.actions[${index}]`, action),
    ]),
    metadataViolations('body.metadata', metadata),
  ].flat()
}

function sealedViolations(sent: NotificationInput, encrypted: string): Violation[] {
  const open = (['title', 'body', 'subtitle', 'url'] as const).filter((name) => sent[name] !== undefined)
  return [
    ...envelopeViolations('body.encrypted', encrypted),
    ...open.map((name) => ({ location: `body.${name}`, message: 'must be left out beside encrypted' })),
  ]
}

const HTTP = ['http:', 'https:']

// An action without a url keeps the rules about headers, and has no scheme to break any other.
const URL_TO_NOWHERE = 'https://localhost'

// For urls that a device loads by itself.
function fetchedUrlViolations(location: string, url: string, protocols: string[]): Violation[] {
  const violations = urlViolations(location, url)
  if (violations.length > 0 || protocols.includes(protocolOf(url))) return violations
  return [{ location, message: `must use ${protocols.join(' or ')}` }]
}

const protocolOf = (url: string) => (URL.canParse(url) ? new URL(url).protocol : '')

function idViolations(location: string, id: string, earlier: NotificationAction[]): Violation[] {
  const reserved = reservedIdViolations(location, id)
  if (reserved.length > 0) return reserved
  if (earlier.some((action) => action.id === id)) return [{ location, message: 'must be unique among the actions' }]
  return []
}

// Typed text needs someone to take it: a silent call to an http or https url, or the server itself.
export function textInputViolations(location: string, action: NotificationAction): Violation[] {
  if (!action.text_input) {
    return (['text_input_placeholder', 'text_input_button_title'] as const)
      .filter((name) => action[name] !== undefined)
      .map((name) => ({ location: `${location}.${name}`, message: 'is only possible with text_input' }))
  }
  const place = `${location}.text_input`
  if (action.foreground) return [{ location: place, message: 'is not possible with foreground' }]
  if (action.url === undefined || HTTP.includes(protocolOf(action.url))) return []
  return [{ location: place, message: 'is only possible with an http or https url, or without a url' }]
}

function metadataViolations(location: string, metadata: Record<string, string>): Violation[] {
  const entries = Object.entries(metadata)
  // Only a key of acceptable length is repeated to the sender.
  const named = entries.filter(([key]) => countChars(key) <= LIMITS.notificationMetadataKeyChars)
  const long = named.filter(([, value]) => countChars(value) > LIMITS.notificationMetadataValueChars)
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  const violations = long.map(([key]) => ({
    location: `${location}.${key}`,
    message: `must have at most ${LIMITS.notificationMetadataValueChars} characters`,
  }))
  if (entries.length > LIMITS.notificationMetadataKeys) {
    violations.push({ location, message: `must have at most ${LIMITS.notificationMetadataKeys} keys` })
  }
  if (named.length < entries.length) {
    violations.push({
      location,
      message: `must have keys of at most ${LIMITS.notificationMetadataKeyChars} characters`,
    })
  }
  if (bytes > LIMITS.notificationMetadataBytes) {
    violations.push({ location, message: `must have at most ${LIMITS.notificationMetadataBytes} bytes in all` })
  }
  return violations
}

const countChars = (text: string) => [...text].length

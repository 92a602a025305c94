// Drafts a notification from a request: the rules that no schema can state, and the defaults.
import { Buffer } from 'node:buffer'
import { LIMITS } from '../../contract/limits.ts'
import type { NotificationAction, NotificationInput } from '../../contract/notifications/notification.ts'
import type { Target } from '../../contract/organizations/target.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { inOneSentence, validationProblem } from '../../contract/validation.ts'
import { actionViolations, urlViolations, withUpperCaseMethod } from '../action-rules.ts'
import {
  acknowledgeViolations,
  type CallbackRules,
  reservedIdViolations,
  withAcknowledgeAction,
} from './acknowledge.ts'
import type { IncomingNotification, NotificationDraft } from './notification.ts'

// By default no callback is allowed.
export function draftNotification(input: IncomingNotification, callbacks = NO_CALLBACKS): NotificationDraft {
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
    // Only critical alerts have a volume.
    volume: level === 'critical' ? sent.volume : undefined,
    sound: sent.sound,
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
    format: sent.format,
    onlyDevices: sent.onlyDevices,
  }
}

const NO_CALLBACKS: CallbackRules = { isKey: false, outboundAllow: [] }

// Every member that may be "" is optional, so the document stays valid without it.
function withoutEmptyText<Document extends object>(document: Document): Document {
  if (!Object.values(document).includes('')) return document
  return Object.fromEntries(Object.entries(document).filter(([, member]) => member !== '')) as Document
}

const SEALED_TEXT = { title: 'Encrypted notification', body: 'End-to-end encrypted.' }

// A missing title violates the shape, hence 422. It is not in the schema, because a conditional schema would also
// report the whole body.
function shownText({ title, body, encrypted }: NotificationInput): { title: string; body: string } {
  if (encrypted !== undefined) return SEALED_TEXT
  if (title !== undefined && body !== undefined) return { title, body }
  const missing = Object.entries({ title, body }).filter(([, text]) => text === undefined)
  throw validationProblem(
    missing.map(([name]) => ({ location: `body.${name}`, message: 'is required and must not be empty' })),
  )
}

function ruleViolations(
  sent: IncomingNotification,
  actions: NotificationAction[],
  metadata: Record<string, string>,
): Violation[] {
  const { encrypted, url, media, icon_url } = sent
  const isSilenced = sent.sound === 'none' && sent.level === 'critical'
  return [
    isSilenced ? [{ location: 'body.sound', message: 'must not be none with the level critical' }] : [],
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

function sealedViolations(sent: IncomingNotification, encrypted: string): Violation[] {
  const open = (['title', 'body', 'subtitle', 'url'] as const).filter((name) => sent[name] !== undefined)
  const files = sent.attachments?.length || sent.files?.length ? (['attachments'] as const) : []
  return [
    ...envelopeViolations('body.encrypted', encrypted),
    ...[...open, ...files].map((name) => ({ location: `body.${name}`, message: 'must be left out beside encrypted' })),
  ]
}

const HTTP = ['http:', 'https:']

// Stands in for the url of an action without one: the header rules apply, those for schemes do not.
const URL_TO_NOWHERE = 'https://localhost'

// For urls that devices fetch by themselves.
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

// The typed text goes to an http or https url, or to this server.
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
  // Only keys of acceptable length are quoted.
  const named = entries.filter(([key]) => countChars(key) <= LIMITS.notification.maxMetadataKeyChars)
  const long = named.filter(([, value]) => countChars(value) > LIMITS.notification.maxMetadataValueChars)
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0)
  const violations = long.map(([key]) => ({
    location: `${location}.${key}`,
    message: `must have at most ${LIMITS.notification.maxMetadataValueChars} characters`,
  }))
  if (entries.length > LIMITS.notification.maxMetadataKeys) {
    violations.push({ location, message: `must have at most ${LIMITS.notification.maxMetadataKeys} keys` })
  }
  if (named.length < entries.length) {
    violations.push({
      location,
      message: `must have keys of at most ${LIMITS.notification.maxMetadataKeyChars} characters`,
    })
  }
  if (bytes > LIMITS.notification.maxMetadataBytes) {
    violations.push({ location, message: `must have at most ${LIMITS.notification.maxMetadataBytes} bytes in all` })
  }
  return violations
}

const countChars = (text: string) => [...text].length

// `target` selects members of an organization, which a person's token or key does not have.
export function requireNoTarget(target: Target | null | undefined): void {
  if (target) throw new Problem('org.target_unavailable', 'target is only for the keys of an organization.')
}

// The form of an end-to-end encrypted envelope, `pw1.<key id>.<sealed bytes>`. The server has no key and never opens
// it.
// 40 characters are 30 bytes: the nonce (12), the shortest JSON object and the tag (16).
const ENVELOPE_FORM = /^pw1\.[0-9a-f]{8}\.([A-Za-z0-9_-]{40,})$/

export function envelopeViolations(location: string, envelope: string): Violation[] {
  const sealed = ENVELOPE_FORM.exec(envelope)?.[1]
  if (sealed === undefined) {
    return [{ location, message: 'must be pw1, 8 hex digits and at least 30 bytes of base64url, joined by dots' }]
  }
  if (!isCanonical(sealed)) return [{ location, message: 'must end in unpadded base64url without stray bits' }]
  return []
}

// Decoders ignore a dangling character and unused bits; without this check two texts could be the same envelope.
const isCanonical = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text

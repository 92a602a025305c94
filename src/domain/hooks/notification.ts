// The notification that a message of a hook becomes, with the options of the hook applied.
import { createHash } from 'node:crypto'
import { LIMITS } from '../../contract/limits.ts'
import type { NotificationAction } from '../../contract/notifications/notification.ts'
import { imageOf, linkOf } from '../doors/urls.ts'
import { type IncomingNotification, rankOf } from '../notifications/notification.ts'
import { cutText, storableText } from '../text.ts'
import type { Hook, HookKind, HookOptions } from './hook.ts'
import type { HookAction, HookMessage, Level } from './message.ts'

export function toNotification(hook: Hook, kind: HookKind, message: HookMessage): IncomingNotification {
  const { options, name } = hook
  const { state, severity, event, collapse } = message
  const level = levelOf(message, options)
  const { title, body } = textsOf(message, name)
  const shownBody = cutText(body, LIMITS.notification.maxBodyChars)
  const actions = (message.actions ?? []).flatMap(toAction)
  const isQuiet = state === 'resolved' && options.resolved === 'quiet'
  return {
    title: cutText(title, LIMITS.notification.maxTitleChars),
    body: shownBody,
    level,
    // A critical alert is never silent.
    sound: options.sound === 'none' && level === 'critical' ? undefined : options.sound,
    source: cutText(name, LIMITS.notification.maxSourceChars),
    source_display_name: name,
    thread_id: cutText(oneLine(message.thread ?? '') || `hook:${hook.id}`, LIMITS.notification.maxThreadIdChars),
    collapse_id: collapse && collapseIdOf(hook, collapse),
    url: linkOf(message.url),
    media: imageOf(message.image),
    actions: actions.length > 0 ? actions : undefined,
    format: message.format,
    push: isQuiet ? false : undefined,
    shield: hook.stormLimit === null ? undefined : { id: hook.id, pushesPerMinute: hook.stormLimit },
    acknowledge: mustBeAcknowledged(level, message, options) ? acknowledgeOf(options) : undefined,
    door: {
      door: 'hooks',
      channel: hook.id,
      sequence: collapse && collapseIdOf(hook, collapse),
      // The whole body, where the notification has the beginning only.
      message: { kind, state, severity, event, ...(body !== shownBody && { body }) },
    },
  }
}

// A notification needs a title and a body. Where one is missing, the name of the hook says more than the other again.
function textsOf(message: HookMessage, name: string): { title: string; body: string } {
  const title = oneLine(message.title)
  const body = printable(message.body.slice(0, MOST_KEPT_CHARS)).trim()
  if (title === '') return { title: name, body: body || 'The request was empty.' }
  return { title, body: body === title ? name : body || name }
}

const MOST_KEPT_CHARS = 64 * 1024

// No device shows other control characters, and JSON writes each of them in six. A run of them is one match.
const printable = (text: string): string => storableText(text).replace(/[^\P{Cc}\n\t]+/gu, '')

// Line breaks and other control characters have no place in a title.
const oneLine = (text: string): string =>
  storableText(text.slice(0, 4096))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()

// Two hooks may report about things of the same name.
const collapseIdOf = ({ id }: Hook, collapse: string): string =>
  createHash('sha256').update(`${id}/${collapse}`).digest('base64url')

function levelOf({ level, severity, state }: HookMessage, { level: rule }: HookOptions): Level {
  if (state === 'resolved') return 'passive'
  if (rule === undefined) return level
  if (typeof rule === 'string') return rankOf(rule) > rankOf(level) ? rule : level
  const mapped = Object.entries(rule).find(([word]) => word.toLowerCase() === severity?.toLowerCase())
  return mapped ? mapped[1] : level
}

function mustBeAcknowledged(level: Level, { state }: HookMessage, { acknowledge_from }: HookOptions): boolean {
  return acknowledge_from !== undefined && state !== 'resolved' && rankOf(level) >= rankOf(acknowledge_from)
}

const acknowledgeOf = ({ escalation }: HookOptions): IncomingNotification['acknowledge'] =>
  escalation === undefined ? {} : { escalation }

const toAction = ({ id, title, url }: HookAction): NotificationAction[] => {
  const link = linkOf(url)
  return link === undefined ? [] : [{ id, title, url: link, foreground: true }]
}

// Whether the hook reports this event; senders that have no events report all.
export function isWanted({ event }: HookMessage, { events = [] }: HookOptions): boolean {
  if (event === undefined || events.length === 0) return true
  return events.includes(event) || events.includes(event.split('.', 1)[0] as string)
}

// The notification that a message for Pushover becomes.
import { LIMITS } from '../../../contract/limits.ts'
import type { NotificationAction } from '../../../contract/notifications/notification.ts'
import { TAG_PATTERN } from '../../../contract/receipts.ts'
import { DAY_SECONDS } from '../../instant.ts'
import type { Expiry, IncomingNotification } from '../../notifications/notification.ts'
import { soundFromPushover } from '../../notifications/sounds.ts'
import { cutText } from '../../text.ts'
import { imageOf, linkOf } from '../urls.ts'
import { EMERGENCY, type Priority, type PushoverMessage } from './message.ts'

// An integration key, as senders of Pushover know it.
export type PushoverApplication = { id: string; name: string }
export type PushoverAttachment = { name: string; url: string; isImage: boolean }

export function fromPushover(
  sent: PushoverMessage,
  application: PushoverApplication,
  attachment?: PushoverAttachment,
): IncomingNotification {
  const message = sent.encrypted ? { ...sent, ...SEALED } : sent
  const { title, html, url, priority } = message
  const text = html ? textOfHtml(message.message) : message.message
  const media = attachment?.isImage ? imageOf(attachment.url) : undefined
  const actions = [...namedLink(message), ...(attachment && !media ? openFile(attachment) : [])]
  return {
    title: cutText(title?.trim() ? title : application.name, LIMITS.notification.maxTitleChars),
    body: cutText(text.trim() || '…', LIMITS.notification.maxBodyChars),
    level: levelOf(message),
    sound: soundOf(message),
    // Pushover shows the lowest priority in the list of messages only.
    push: priority !== -2,
    source: cutText(application.name, LIMITS.notification.maxSourceChars),
    source_display_name: cutText(application.name, LIMITS.notification.maxSourceDisplayNameChars),
    thread_id: `pushover:${application.id}`,
    url: linkOf(url),
    media,
    actions: actions.length > 0 ? actions : undefined,
    ...(priority === EMERGENCY ? emergency(message) : { expiry: expiryOf(message) }),
    reportsQuota: true,
    door: { door: 'pushover', channel: application.id, message: { ...sent, attachment } },
  }
}

// What is shown of a message that only Pushover's own app could read.
const SEALED = {
  title: 'Encrypted notification',
  message: 'Sealed by its sender for another app.',
  html: undefined,
  url: undefined,
  url_title: undefined,
}

const LEVELS: Record<Priority, IncomingNotification['level']> = {
  [-2]: 'passive',
  [-1]: 'passive',
  0: 'active',
  1: 'time-sensitive',
  2: 'critical',
}

// Without a priority, a few sounds say how urgent the message is.
function levelOf({ priority, sound = '' }: PushoverMessage): IncomingNotification['level'] {
  if (priority !== 0) return LEVELS[priority]
  if (sound === SILENT_SOUND) return 'passive'
  return ALARM_SOUNDS.includes(sound) ? 'time-sensitive' : 'active'
}

// A critical alert is never silent.
function soundOf({ sound, priority }: PushoverMessage): IncomingNotification['sound'] {
  const ours = soundFromPushover(sound)
  return ours === 'none' && priority === EMERGENCY ? undefined : ours
}

const MOST_TTL_SECONDS = 365 * DAY_SECONDS

// Pushover ignores it on emergency messages.
const expiryOf = ({ ttl = '' }: PushoverMessage): Expiry | undefined =>
  /^0*[1-9]\d{0,11}$/.test(ttl.trim())
    ? { afterSeconds: Math.min(Number(ttl), MOST_TTL_SECONDS), keepsBanners: false }
    : undefined

const TAG = new RegExp(TAG_PATTERN)

// Our bounds are narrower: repeats are at most an hour apart, and an alert lasts a minute at least. Tags that ours cannot
// have, such as those with spaces, are left out.
function emergency({ retry, expire, callback, tags = [] }: PushoverMessage): Partial<IncomingNotification> {
  const { repeatSeconds, expireSeconds, maxTags } = LIMITS.acknowledge
  return {
    acknowledge: {
      repeat_seconds: Math.min(retry ?? repeatSeconds.default, repeatSeconds.max),
      expire_seconds: Math.max(expire ?? expireSeconds.default, expireSeconds.min),
    },
    tags: [...new Set(tags)].filter((tag) => TAG.test(tag)).slice(0, maxTags),
    pushoverCallback: callback,
  }
}

function namedLink({ url, url_title }: PushoverMessage): NotificationAction[] {
  const link = linkOf(url)
  if (link === undefined || !url_title?.trim()) return []
  return [{ id: 'url', title: cutText(url_title, LIMITS.action.maxTitleChars), url: link, foreground: true }]
}

function openFile({ name, url }: PushoverAttachment): NotificationAction[] {
  if (linkOf(url) === undefined) return []
  return [{ id: 'attachment', title: cutText(`Open ${name}`, LIMITS.action.maxTitleChars), url, foreground: true }]
}

// Messages with html=1, as plain text: Pushover knows b, i, u, font and a.
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

// Four times what a notification shows, and sixteen times what Pushover takes. A megabyte of tags would block the event loop
// for a second.
const MOST_CHARS = 16 * 1024

// A link keeps its address behind its text. The name of a tag ends where its letters end: without the lookahead, one long name
// would take quadratic time.
export function textOfHtml(message: string): string {
  const html = message.slice(0, MOST_CHARS)
  let link: { url: string; textFrom: number } | undefined
  const text = html.replace(
    /<(\/?)([a-z]+)(?![a-z])([^<>]*)>/gi,
    (tag, slash: string, name: string, rest: string, at: number) => {
      const kind = name.toLowerCase()
      if (kind === 'br') return '\n'
      if (kind !== 'a') return ''
      const opened = link
      const url = slash === '' ? /\bhref\s*=\s*["']?([^"'\s]+)/i.exec(rest)?.[1] : undefined
      link = url === undefined ? undefined : { url, textFrom: at + tag.length }
      return slash !== '' && opened && html.slice(opened.textFrom, at) !== opened.url ? ` (${opened.url})` : ''
    },
  )
  return decodeEntities(text)
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity
  })
}

// The sounds of Pushover, by name. A few change how urgent a message is.
export const SOUNDS: Record<string, string> = {
  pushover: 'Pushover (default)',
  bike: 'Bike',
  bugle: 'Bugle',
  cashregister: 'Cash Register',
  classical: 'Classical',
  cosmic: 'Cosmic',
  falling: 'Falling',
  gamelan: 'Gamelan',
  incoming: 'Incoming',
  intermission: 'Intermission',
  magic: 'Magic',
  mechanical: 'Mechanical',
  pianobar: 'Piano Bar',
  siren: 'Siren',
  spacealarm: 'Space Alarm',
  tugboat: 'Tug Boat',
  alien: 'Alien Alarm (long)',
  climb: 'Climb (long)',
  persistent: 'Persistent (long)',
  echo: 'Pushover Echo (long)',
  updown: 'Up Down (long)',
  vibrate: 'Vibrate Only',
  none: 'None (silent)',
}

export const SILENT_SOUND = 'none'
export const ALARM_SOUNDS = ['siren', 'spacealarm', 'persistent']

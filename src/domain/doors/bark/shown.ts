// What the Bark app is sent for a notification, an end of one, and a withdrawal. It has no buttons: a tap opens the page on
// which the person answers.
import { createHash } from 'node:crypto'
import type { DeviceOptions } from '../../../contract/devices.ts'
import { isAnswerable } from '../../answers/answer.ts'
import { withoutMarks } from '../../notifications/markdown.ts'
import type { DoorRecord, NotificationDraft } from '../../notifications/notification.ts'
import { BARK_SILENCE, barkSoundOf } from '../../notifications/sounds.ts'
import { type BarkParameters, DELETION } from './parameters.ts'

export type BarkMessage = {
  notification: NotificationDraft
  // The message in the words of a sender of Bark.
  record: DoorRecord | undefined
  tag: string
  badge: number
  // It repeats until it is acknowledged.
  isAlert: boolean
  answerUrl: string | undefined
  consoleUrl: string
}

export function shownByBark(message: BarkMessage, options: DeviceOptions): BarkParameters {
  const { notification, record, tag, badge } = message
  if (record?.door === 'bark') return withId(record.message as BarkParameters, tag)
  const { title, subtitle, body, format, level, iconUrl, media } = notification
  return present({
    title,
    subtitle,
    body: format === 'markdown' ? withoutMarks(body) : body,
    markdown: format === 'markdown' ? body : undefined,
    level: LEVELS[level],
    volume: level === 'critical' ? String(Math.round(10 * (notification.volume ?? 1))) : undefined,
    sound: level === 'passive' ? BARK_SILENCE : barkSoundOf(notification.sound),
    call: rings(message, options) ? '1' : undefined,
    group: groupOf(notification),
    icon: iconUrl,
    image: media?.type === 'image' ? media.url : undefined,
    url: urlOf(message),
    badge: options.badge ? String(badge) : undefined,
    id: tag,
  })
}

// A sender's id that is too long for APNs is replaced by its hash, which is the tag.
const withId = (sent: BarkParameters, tag: string): BarkParameters => ({ ...sent, id: tag })

const LEVELS: Record<NotificationDraft['level'], string> = {
  passive: 'passive',
  active: 'active',
  'time-sensitive': 'timeSensitive',
  critical: 'critical',
}

// The app mutes by group, so a source is one.
const groupOf = ({ sourceDisplayName, source }: NotificationDraft): string =>
  sourceDisplayName || source || 'Heliograph'

function rings({ notification: { level, sound }, isAlert }: BarkMessage, { ring }: DeviceOptions): boolean {
  if (level === 'passive') return false
  if (sound === 'siren') return true
  return isAlert && (ring === 'alerts' || (ring === 'critical' && level === 'critical'))
}

function urlOf({ notification, answerUrl, consoleUrl }: BarkMessage): string {
  if (isAnswerable(notification) && answerUrl !== undefined) return answerUrl
  return notification.url ?? consoleUrl
}

// Takes the place of a message that needs no attention any more: quietly, and without Background App Refresh.
export const endedAtBark = (
  { title }: Pick<NotificationDraft, 'title'>,
  { tag, text, group }: { tag: string; text: string; group: string },
): BarkParameters => ({ title, body: text, level: 'passive', sound: BARK_SILENCE ?? '', group, id: tag })

export const withdrawnAtBark = (tag: string): BarkParameters => ({ id: tag, delete: DELETION })

const present = (members: Record<string, string | undefined>): BarkParameters =>
  Object.fromEntries(Object.entries(members).filter((member): member is [string, string] => member[1] !== undefined))

export const barkGroupOf = groupOf

// Apple wants a UUID for each push that is the same for all its attempts.
export function barkPushId(...parts: (string | number)[]): string {
  const hex = createHash('sha256').update(parts.join('/')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

// The notification that a message for Pushover becomes.
import { LIMITS } from '../../../contract/limits.ts'
import type { NotificationAction } from '../../../contract/notifications/notification.ts'
import { TAG_PATTERN } from '../../../contract/receipts.ts'
import { DAY_SECONDS } from '../../instant.ts'
import type { Expiry, IncomingNotification } from '../../notifications/notification.ts'
import { cutText } from '../../text.ts'
import { imageOf, linkOf } from '../urls.ts'
import { textOfHtml } from './html.ts'
import { EMERGENCY, type Priority, type PushoverMessage } from './message.ts'
import { ALARM_SOUNDS, SILENT_SOUND } from './sounds.ts'

// An integration key, as senders of Pushover know it.
export type PushoverApplication = { id: string; name: string }
export type PushoverAttachment = { name: string; url: string; isImage: boolean }

export function fromPushover(
  message: PushoverMessage,
  application: PushoverApplication,
  attachment?: PushoverAttachment,
): IncomingNotification {
  const { title, html, url, priority } = message
  const text = html ? textOfHtml(message.message) : message.message
  const media = attachment?.isImage ? imageOf(attachment.url) : undefined
  const actions = [...namedLink(message), ...(attachment && !media ? openFile(attachment) : [])]
  return {
    title: cutText(title?.trim() ? title : application.name, LIMITS.notification.maxTitleChars),
    body: cutText(text.trim() || '…', LIMITS.notification.maxBodyChars),
    level: levelOf(message),
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
    door: { door: 'pushover', channel: application.id, message: { ...message, attachment } },
  }
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

// A message for Gotify, and the notification it becomes.
import { LIMITS } from '../../../contract/limits.ts'
import type { IncomingNotification } from '../../notifications/notification.ts'
import { cutText, storableText } from '../../text.ts'
import { imageOf, linkOf } from '../urls.ts'

export type GotifyMessage = { title?: string; message: string; priority?: number; extras?: Record<string, unknown> }

// An integration key, as Gotify's senders know it.
export type GotifyApplication = { number: number; name: string }

// Gotify gives a new application the priority 0, which would make every notification passive.
export const DEFAULT_PRIORITY = 5

export function titleOf({ title }: GotifyMessage, { name }: GotifyApplication): string {
  return title === undefined || title.trim() === '' ? name : title
}

export function fromGotify(message: GotifyMessage, application: GotifyApplication): IncomingNotification {
  const { priority = DEFAULT_PRIORITY, extras } = message
  const notification = memberOf(extras, 'client::notification')
  const isMarkdown = memberOf(extras, 'client::display').contentType === 'text/markdown'
  return {
    title: cutText(storableText(titleOf(message, application)), LIMITS.notification.maxTitleChars),
    body: cutText(storableText(message.message), LIMITS.notification.maxBodyChars),
    level: levelOf(priority),
    source: cutText(application.name, LIMITS.notification.maxSourceChars),
    source_display_name: cutText(application.name, LIMITS.notification.maxSourceDisplayNameChars),
    thread_id: `gotify:${application.number}`,
    url: linkOf(memberOf(notification, 'click').url),
    media: imageOf(notification.bigImageUrl),
    format: isMarkdown ? 'markdown' : undefined,
    door: { door: 'gotify', channel: String(application.number), message: { ...message, priority } },
  }
}

function levelOf(priority: number): IncomingNotification['level'] {
  if (priority <= 3) return 'passive'
  if (priority <= 7) return 'active'
  return priority <= 9 ? 'time-sensitive' : 'critical'
}

function memberOf(value: Record<string, unknown> | undefined, name: string): Record<string, unknown> {
  const member = value?.[name]
  return typeof member === 'object' && member !== null ? (member as Record<string, unknown>) : {}
}

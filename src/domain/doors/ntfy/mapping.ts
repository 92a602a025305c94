// The notification that a message for ntfy becomes.
import { createHash } from 'node:crypto'
import { ACTION_METHODS } from '../../../contract/actions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { NotificationAction } from '../../../contract/notifications/notification.ts'
import { actionViolations } from '../../action-rules.ts'
import type { IncomingNotification } from '../../notifications/notification.ts'
import { cutText } from '../../text.ts'
import { imageOf, linkOf } from '../urls.ts'
import type { NtfyAction } from './actions.ts'
import { emojiPrefix } from './emoji.ts'
import type { NtfyAttachment, NtfyMessage } from './publication.ts'

export type NtfyAddress = { topic: string; sequence?: string }

export function fromNtfy({ topic, sequence }: NtfyAddress, message: NtfyMessage): IncomingNotification {
  const { title, tags, priority, click, icon, attachment, content_type } = message
  const picture = attachment && isPicture(attachment) ? imageOf(attachment.url) : undefined
  const actions = [
    ...(message.actions ?? []).flatMap(toAction),
    ...(attachment && !picture ? openFile(attachment) : []),
  ]
  return {
    title: cutText(`${emojiPrefix(tags)}${title ?? topic}`, LIMITS.notification.maxTitleChars),
    body: cutText(message.message.trim() || '…', LIMITS.notification.maxBodyChars),
    level: LEVELS[priority ?? 3] ?? 'active',
    source: topic,
    source_display_name: topic,
    thread_id: `ntfy:${topic}`,
    collapse_id: sequence && collapseIdOf(topic, sequence),
    url: linkOf(click),
    icon_url: linkOf(icon),
    media: picture,
    actions: actions.length > 0 ? actions : undefined,
    format: content_type === 'text/markdown' ? 'markdown' : undefined,
    door: { door: 'ntfy', channel: topic, sequence, message },
  }
}

const LEVELS: Record<number, IncomingNotification['level']> = {
  1: 'passive',
  2: 'passive',
  3: 'active',
  4: 'time-sensitive',
  5: 'critical',
}

// The one that becomes this level.
export const priorityOf = (level: NonNullable<IncomingNotification['level']>): number =>
  ({ passive: 2, active: 3, 'time-sensitive': 4, critical: 5 })[level]

// It is a valid name of a sequence, too, and differs between topics.
export const collapseIdOf = (topic: string, sequence: string): string =>
  createHash('sha256').update(`ntfy/${topic}/${sequence}`).digest('base64url')

// Buttons that only apps of ntfy have, and those that our rules refuse, are in the record and not in the notification.
function toAction({ id, action, label, url, method, headers, body }: NtfyAction): NotificationAction[] {
  if (url === undefined || (action !== 'view' && action !== 'http')) return []
  const title = cutText(label, LIMITS.action.maxTitleChars)
  const button = action === 'view' ? { url, foreground: true } : { url, method: method ?? 'POST', headers, body }
  return isAllowed(button) ? [{ id, title, ...button }] : []
}

function isAllowed(button: { url: string; method?: string; headers?: Record<string, string>; body?: string }): boolean {
  const { url, method = 'GET', body = '' } = button
  return (
    linkOf(url) !== undefined &&
    ACTION_METHODS.some((one) => one === method) &&
    body.length <= LIMITS.action.maxBodyChars &&
    actionViolations('', button).length === 0
  )
}

function openFile({ name, url }: NtfyAttachment): NotificationAction[] {
  if (linkOf(url) === undefined) return []
  return [{ id: 'attachment', title: cutText(`Open ${name}`, LIMITS.action.maxTitleChars), url, foreground: true }]
}

const isPicture = ({ name, type }: NtfyAttachment): boolean =>
  type === undefined ? /\.(jpe?g|png|gif|webp|avif)$/i.test(name) : type.startsWith('image/')

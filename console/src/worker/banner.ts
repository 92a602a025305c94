// Converts push messages to system notifications.
import { openEnvelope } from '../../../clients/typescript/envelope.ts'
import { actionTitle } from '../inbox/action-title.ts'
import { readValue } from '../state/browser-store.ts'
import type { ActivityData, ActivityMessage, BannerData, NotificationMessage } from './push-message.ts'

// Options that TypeScript's DOM library lacks.
export type BannerOptions = NotificationOptions & {
  actions?: { action: string; title: string; type?: 'button' | 'text'; placeholder?: string }[]
  image?: string
  renotify?: boolean
  timestamp?: number
}

export const tagOf = (notificationId: number): string => `notification-${notificationId}`

// `acknowledge`: the title of the button that the server adds to alerts.
export async function toBanner(
  message: NotificationMessage,
  acknowledge: string,
): Promise<{ title: string; options: BannerOptions }> {
  const { title, subtitle, body } = await readable(message)
  const { level, sound, notification_id, url, actions, answer_ticket, tag, icon_url, media } = message
  const data: BannerData = { notification_id, url, actions, answer_ticket }
  const options: BannerOptions = {
    body: subtitle ? `${subtitle}\n${body}` : body,
    data,
    // A banner with the tag of an earlier one replaces it silently unless `renotify` is set.
    tag: tag ?? tagOf(notification_id),
    renotify: tag !== undefined && level !== 'passive',
    silent: level === 'passive' || sound === 'none',
    requireInteraction: level === 'critical',
    icon: icon_url ?? '/app/icon-192.png',
    badge: '/app/icon-192.png',
    timestamp: Date.parse(message.created_at),
    actions: actions?.map(({ id, title: words, text_input, text_input_placeholder }) => ({
      action: id,
      title: actionTitle({ id, title: words }, acknowledge),
      ...(text_input && { type: 'text' as const, placeholder: text_input_placeholder }),
    })),
    ...(media?.type === 'image' && { image: media.url }),
  }
  return { title, options }
}

// One banner per activity. The start shows it; updates replace it silently unless they carry a sound.
export function toActivityBanner(message: ActivityMessage): { title: string; options: BannerOptions } {
  const { event, tag, id, name, content, sound, answer_ticket } = message
  const data: ActivityData = { id, answer_ticket }
  const answerable = answer_ticket ? (content.options ?? []).filter(({ url }) => url === undefined) : []
  const options: BannerOptions = {
    body: [content.state, content.subtitle].filter(Boolean).join('\n'),
    data,
    tag,
    renotify: sound !== undefined,
    silent: event !== 'start' && sound === undefined,
    icon: '/app/icon-192.png',
    badge: '/app/icon-192.png',
    actions: answerable.map(({ id, title }) => ({ action: id, title })),
  }
  return { title: name, options }
}

async function readable(
  message: NotificationMessage,
): Promise<Pick<NotificationMessage, 'title' | 'subtitle' | 'body'>> {
  if (!message.encrypted) return message
  const key = await readValue('envelope-key')
  return (key && (await openEnvelope(message.encrypted, key))) ?? message
}

// The payload of a notification: an APNs alert with our members beside `aps`, or a message for our service worker. It is
// never larger than push services accept.
import { LIMITS } from '../../contract/limits.ts'
import { instant, toRfc3339 } from '../../domain/instant.ts'
import { withoutMarks } from '../../domain/notifications/markdown.ts'
import type { NotificationDraft, NotificationId } from '../../domain/notifications/notification.ts'
import { apnsSoundOf } from '../../domain/notifications/sounds.ts'
import type { NotificationPush, PushContent } from '../../domain/push.ts'
import { MAX_PLAINTEXT_BYTES } from '../channels/web-push/encryption.ts'
import { webPushTopic } from '../channels/web-push/web-push.ts'
import { type FittedContent, fitIntoPush, jsonBytes, type NotificationLayout } from './fit.ts'

type Level = NotificationDraft['level']

// What the payload takes of a push.
export type NotificationPayload = Omit<NotificationPush, 'repeat'>
type Extras = Omit<NotificationPayload, 'notification'>

// The only category that the app registers. Its service extension creates the buttons from `actions`.
export const ACTIONS_CATEGORY = 'HELIOGRAPH_ACTIONS'

export function apnsNotification({ notification, ...extras }: NotificationPayload): string {
  return fitIntoPush(inPlainText(notification), apnsLayout(notification, extras), LIMITS.push.maxPayloadBytes)
}

export function webPushNotification({ notification, ...extras }: NotificationPayload): string {
  return fitIntoPush(inPlainText(notification), webPushLayout(extras), MAX_PLAINTEXT_BYTES)
}

// A banner shows marks as they are written.
const inPlainText = (content: PushContent): PushContent =>
  content.format === 'markdown' ? { ...content, body: withoutMarks(content.body) } : content

// The longest values of the members that are unknown before the draft is stored.
const WIDEST = { id: Number.MAX_SAFE_INTEGER as NotificationId, createdAt: instant(0) }
const WIDEST_EXTRAS: Extras = { badge: Number.MAX_SAFE_INTEGER, ticket: 'x'.repeat(32), collapseId: 'x' }

// An encrypted notification is not shortened: it must fit into a push of every channel, whichever devices the account has.
export function encryptedFits(draft: NotificationDraft): boolean {
  if (draft.encrypted === undefined) return true
  const content = { ...draft, ...WIDEST }
  return (
    jsonBytes(apnsLayout(content, WIDEST_EXTRAS)(content)) <= LIMITS.push.maxPayloadBytes &&
    jsonBytes(webPushLayout(WIDEST_EXTRAS)(content)) <= MAX_PLAINTEXT_BYTES
  )
}

// Category and `mutable-content` follow the whole notification: the service extension can fetch members that were dropped
// to fit.
function apnsLayout(whole: PushContent, { badge, ticket }: Extras): NotificationLayout {
  const hasActions = Boolean(whole.actions?.length)
  const needsExtension = hasActions || Boolean(whole.media || whole.iconUrl || whole.encrypted)
  return (content) => ({
    aps: {
      alert: { title: content.title, subtitle: content.subtitle, body: content.body },
      'interruption-level': content.level,
      'relevance-score': RELEVANCE[content.level],
      sound: soundOf(content),
      badge,
      'thread-id': content.threadId,
      category: hasActions ? ACTIONS_CATEGORY : undefined,
      'mutable-content': needsExtension ? 1 : undefined,
    },
    ...commonMembers(content, ticket),
    // iOS fetches nothing over plain http.
    media: content.media?.url.startsWith('https:') ? content.media : undefined,
  })
}

function webPushLayout({ badge, ticket, collapseId }: Extras): NotificationLayout {
  const tag = collapseId === undefined ? undefined : webPushTopic(collapseId)
  return (content) => ({
    type: 'notification',
    title: content.title,
    subtitle: content.subtitle,
    body: content.body,
    level: content.level,
    volume: content.level === 'critical' ? volumeOf(content) : undefined,
    sound: content.sound,
    badge,
    thread_id: content.threadId,
    // A notification replaces an earlier one with the same tag.
    tag,
    ...commonMembers(content, ticket),
  })
}

function commonMembers(content: FittedContent, ticket: string | undefined): object {
  return {
    notification_id: content.id,
    created_at: toRfc3339(content.createdAt),
    url: content.url,
    media: content.media,
    attachments: content.attachments?.map(({ url, name, type, bytes }) => ({ url, name, type, bytes })),
    icon_url: content.iconUrl,
    actions: content.actions,
    metadata: content.metadata,
    source: content.source,
    source_display_name: content.sourceDisplayName,
    activity_slug: content.activitySlug,
    encrypted: content.encrypted,
    answer_ticket: ticket,
    shortened: content.shortened,
  }
}

// Sorts our notifications in the summary of iOS.
const RELEVANCE: Record<Level, number> = { passive: 0.25, active: 0.5, 'time-sensitive': 0.75, critical: 1 }

// Only a critical alert may have a sound dictionary, and with it a volume.
function soundOf(content: PushContent): string | object | undefined {
  if (content.level === 'passive') return undefined
  const name = apnsSoundOf(content.sound)
  return content.level === 'critical' ? { critical: 1, name: name ?? 'default', volume: volumeOf(content) } : name
}

const volumeOf = ({ volume = 1 }: PushContent): number => volume

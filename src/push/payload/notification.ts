// A notification as devices receive it: an APNs alert with our members beside `aps`, or a message for our service
// worker. Never larger than the push services take.
import { LIMITS } from '../../contract/limits.ts'
import { type Instant, instant, plusSeconds, toRfc3339 } from '../../domain/instant.ts'
import type { NotificationDraft, NotificationId } from '../../domain/notifications/notification.ts'
import { MAX_PLAINTEXT_BYTES } from '../channels/web-push/encryption.ts'
import { webPushTopic } from '../channels/web-push/web-push.ts'
import { type FittedContent, fitIntoPush, jsonBytes, type Layout, type PushContent } from './fit.ts'

type Level = NotificationDraft['level']

// `ticket` lets the device answer without a token.
export type ApnsExtras = { badge: number; ticket?: string }
export type WebPushExtras = ApnsExtras & { collapseId?: string }

// The one category the app registers. Its buttons are not known beforehand: the app's service extension makes them of
// `actions`.
export const ACTIONS_CATEGORY = 'HELIOGRAPH_ACTIONS'

const KEPT_SECONDS = 24 * 3600

export function apnsAlert(notification: PushContent, extras: ApnsExtras): string {
  return fitIntoPush(notification, apnsLayout(notification, extras), LIMITS.pushPayloadBytes)
}

export function webPushMessage(notification: PushContent, extras: WebPushExtras): string {
  return fitIntoPush(notification, webPushLayout(extras), MAX_PLAINTEXT_BYTES)
}

export type ApnsAlertHeaders = { type: 'alert'; priority: 10 | 5; expiresAt: Instant }

// Priority 5 may wait for a good moment of the device, which is what passive asks for.
export function apnsHeadersFor(notification: Pick<PushContent, 'level' | 'createdAt'>): ApnsAlertHeaders {
  return {
    type: 'alert',
    priority: notification.level === 'passive' ? 5 : 10,
    expiresAt: plusSeconds(notification.createdAt, KEPT_SECONDS),
  }
}

// The longest of everything that is not known before the draft is stored.
const WIDEST = { id: Number.MAX_SAFE_INTEGER as NotificationId, createdAt: instant(0) }
const WIDEST_EXTRAS: WebPushExtras = { badge: Number.MAX_SAFE_INTEGER, ticket: 'x'.repeat(32), collapseId: 'x' }

// Beside an envelope nothing is shortened: all of it fits on every channel, whichever devices come, or it is refused.
export function encryptedFits(draft: NotificationDraft): boolean {
  if (draft.encrypted === undefined) return true
  const content = { ...draft, ...WIDEST }
  return (
    jsonBytes(apnsLayout(content, WIDEST_EXTRAS)(content)) <= LIMITS.pushPayloadBytes &&
    jsonBytes(webPushLayout(WIDEST_EXTRAS)(content)) <= MAX_PLAINTEXT_BYTES
  )
}

// Category and extension are those of the whole: what was given up to fit can still be fetched by the extension.
function apnsLayout(whole: PushContent, { badge, ticket }: ApnsExtras): Layout {
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
  })
}

function webPushLayout({ badge, ticket, collapseId }: WebPushExtras): Layout {
  const tag = collapseId === undefined ? undefined : webPushTopic(collapseId)
  return (content) => ({
    type: 'notification',
    title: content.title,
    subtitle: content.subtitle,
    body: content.body,
    level: content.level,
    volume: content.level === 'critical' ? volumeOf(content) : undefined,
    badge,
    thread_id: content.threadId,
    // A notification with the tag of an earlier one takes its place.
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

// Where the system's summary puts a notification among ours.
const RELEVANCE: Record<Level, number> = { passive: 0.25, active: 0.5, 'time-sensitive': 0.75, critical: 1 }

// Only a critical alert may have the dictionary, and with it a volume.
function soundOf(content: PushContent): string | object | undefined {
  if (content.level === 'passive') return undefined
  if (content.level === 'critical') return { critical: 1, name: 'default', volume: volumeOf(content) }
  return 'default'
}

const volumeOf = ({ volume = 1 }: PushContent): number => volume

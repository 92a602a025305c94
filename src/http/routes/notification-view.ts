// A notification as clients see it, in answers and in events.
import type { NotificationView } from '../../contract/notification.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import type { Notification } from '../../domain/notifications/notification.ts'

export function notificationView(notification: Notification): NotificationView {
  return {
    id: notification.id,
    title: notification.title,
    subtitle: notification.subtitle,
    body: notification.body,
    thread_id: notification.threadId,
    level: notification.level,
    source: notification.source,
    source_display_name: notification.sourceDisplayName,
    url: notification.url,
    media_url: notification.media?.url,
    media_type: notification.media?.type,
    actions: notification.actions,
    icon_url: notification.iconUrl,
    metadata: notification.metadata,
    activity_slug: notification.activitySlug,
    pushed: notification.pushed,
    created_at: toRfc3339(notification.createdAt),
    read_at: notification.readAt === null ? undefined : toRfc3339(notification.readAt),
    encrypted: notification.encrypted,
  }
}

// A small example notification, and both of its push payloads parsed back.

import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import type { PushContent } from '../../../src/domain/push.ts'
import { apnsNotification, webPushNotification } from '../../../src/push/payload/notification.ts'

export const CREATED = '2026-11-15T08:30:00.000Z'
export const TICKET = 'AAAAAAAAAAGXLv4i5C74AJfPp5M-Rv6B'

export function notification(members: Partial<PushContent> = {}): PushContent {
  return {
    id: 7 as NotificationId,
    createdAt: fromRfc3339(CREATED),
    title: 'Disk full',
    body: 'node-3 has 2 % left',
    level: 'active',
    ...members,
  }
}

export const actions = (count: number, members: Partial<NotificationAction> = {}): NotificationAction[] =>
  Array.from({ length: count }, (_, at) => ({ id: `a${at}`, title: `Action ${at}`, ...members }))

export const alert = (members?: Partial<PushContent>, extras = {}) =>
  JSON.parse(apnsNotification({ notification: notification(members), badge: 3, ...extras }))
export const message = (members?: Partial<PushContent>, extras = {}) =>
  JSON.parse(webPushNotification({ notification: notification(members), badge: 3, ...extras }))

export const EVERYTHING: Partial<PushContent> = {
  subtitle: 'Storage',
  threadId: 'disks',
  source: 'monitor',
  sourceDisplayName: 'Monitoring',
  url: 'https://example.com/disks',
  media: { url: 'https://example.com/graph.png', type: 'image' },
  iconUrl: 'https://example.com/icon.png',
  actions: [{ id: 'clean', title: 'Clean up' }],
  metadata: { node: '3' },
  activitySlug: 'disk-check',
}

// A notification as clients see it, in responses and in events.

import type { ListedReceiptView } from '../contract/notifications/inbox.ts'
import type { NotificationView, SentNotificationView } from '../contract/notifications/notification.ts'
import type { QuotaEffect } from '../domain/accounts/quota.ts'
import type { NotificationState } from '../domain/answers/state.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'
import type { Delivery } from '../domain/notifications/delivery.ts'
import type { Notification } from '../domain/notifications/notification.ts'
import type { ShownOrgSend } from '../domain/organizations/send.ts'
import type { Receipt } from '../domain/receipts/receipt.ts'
import { answerStateView } from './answers.ts'
import { attachmentView } from './files.ts'
import { receiptStateView, receiptView } from './receipts.ts'

// `orgSend`: of a notification of an organization, for the organization itself. `state`: of one that can be answered.
export type ShownNotification = {
  notification: Notification
  orgSend?: ShownOrgSend | undefined
  state?: NotificationState | undefined
}

export function shownNotificationView({ notification, orgSend, state }: ShownNotification): NotificationView {
  const view = notificationView(notification)
  const withSend = orgSend ? { ...view, ...orgSendView(orgSend) } : view
  return state ? { ...withSend, ...stateView(state) } : withSend
}

const stateView = ({ answer, receipt }: NotificationState) => ({
  answer: answerStateView(answer),
  receipt: receipt && receiptStateView(receipt),
})

const orgSendView = ({ target, members, devices, stored, isDone }: ShownOrgSend) => ({
  target: target ?? undefined,
  recipients: { members, devices, stored, done: isDone },
})

export function notificationView(notification: Notification): NotificationView {
  const { org } = notification
  return {
    id: notification.id,
    title: notification.title,
    subtitle: notification.subtitle,
    body: notification.body,
    thread_id: notification.threadId,
    level: notification.level,
    sound: notification.sound,
    source: notification.source,
    source_display_name: notification.sourceDisplayName,
    // Not the organization's key: its members know nothing of its keys.
    key_id: org ? undefined : (notification.keyId ?? undefined),
    url: notification.url,
    media_url: notification.media?.url,
    media_type: notification.media?.type,
    attachments: notification.attachments?.map(attachmentView),
    actions: notification.actions,
    icon_url: notification.iconUrl,
    metadata: notification.metadata,
    activity_slug: notification.activitySlug,
    pushed: notification.pushed,
    created_at: toRfc3339(notification.createdAt),
    read_at: notification.readAt === null ? undefined : toRfc3339(notification.readAt),
    snoozed_until: notification.snoozedUntil && toRfc3339(notification.snoozedUntil),
    encrypted: notification.encrypted,
    format: notification.format,
    org_id: org?.id,
    org_name: org?.name,
    org_notification_id: org?.notificationId,
  }
}

// `quota`: for doors whose answers report it.
export type SentNotification = ShownNotification & {
  delivery: Delivery
  answerable: boolean
  receipt?: Receipt
  quota?: QuotaEffect
}

export function sentNotificationView({
  delivery,
  answerable,
  receipt,
  ...shown
}: SentNotification): SentNotificationView {
  return {
    ...shownNotificationView(shown),
    delivery: delivery.delivery,
    reason: delivery.reason,
    answerable: answerable || undefined,
    receipt: receipt && receiptView(receipt),
  }
}

export type ListedReceipt = { receipt: Receipt; shown: ShownNotification | undefined }

export const listedReceiptView = ({ receipt, shown }: ListedReceipt): ListedReceiptView => ({
  ...receiptView(receipt),
  notification: shown && shownNotificationView(shown),
})

export const timelineEntryView = <Entry extends { at: Instant }>(entry: Entry) => ({
  ...entry,
  at: toRfc3339(entry.at),
})

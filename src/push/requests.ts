// What is sent over each channel for each kind of message: the payload, and how the push service treats it.
import type { DeviceId } from '../domain/devices.ts'
import { plusSeconds } from '../domain/instant.ts'
import { NOTIFICATION_KEPT_SECONDS, type NotificationPush, type PushMessage } from '../domain/push.ts'
import { newUuid } from '../runtime/ids.ts'
import type { ApnsPush } from './channels/apns/request.ts'
import { type WebPush, webPushTopic, webPushUrgency } from './channels/web-push/web-push.ts'
import { apnsActivity, isAlerting, webPushActivity } from './payload/activity.ts'
import { apnsNotification, webPushNotification } from './payload/notification.ts'
import { activityPushId, notificationPushId } from './payload/push-id.ts'
import { apnsWidgetReload, apnsWithdrawal, webPushWidgetReload, webPushWithdrawal } from './payload/silent.ts'

// Of our own apps.
export type OwnMessage = Exclude<PushMessage, { kind: 'bark' }>

export type ApnsRequest = Omit<ApnsPush, 'environment' | 'token' | 'deadlineMs'>
export type WebPushRequest = Omit<WebPush, 'endpoint' | 'keys' | 'deadlineMs'>

// A device that was offline for longer fetches its widgets and its inbox when it is back.
const SILENT = { ttlSeconds: 3600, urgency: 'low' } as const
// The longest time that an activity is shown.
const ACTIVITY_KEPT_SECONDS = 8 * 3600

export function apnsRequest(message: OwnMessage, deviceId: DeviceId): ApnsRequest {
  switch (message.kind) {
    case 'notification':
      return apnsNotificationRequest(message, deviceId)
    case 'withdrawal':
      return { type: 'background', priority: 5, id: newUuid(), payload: apnsWithdrawal(message) }
    case 'widget-reload':
      return { type: 'widgets', priority: 5, id: newUuid(), payload: apnsWidgetReload() }
    case 'activity':
      return {
        type: 'liveactivity',
        priority: isAlerting(message) ? 10 : 5,
        id: activityPushId(message, deviceId),
        payload: apnsActivity(message),
      }
  }
}

export function webPushRequest(message: OwnMessage): WebPushRequest {
  switch (message.kind) {
    case 'notification':
      return webPushNotificationRequest(message)
    case 'withdrawal':
      return { payload: webPushWithdrawal(message), ...SILENT }
    case 'widget-reload':
      return {
        payload: webPushWidgetReload(message.widget),
        ...SILENT,
        topic: webPushTopic(`widget ${message.widget.id}`),
      }
    case 'activity':
      return {
        payload: webPushActivity(message),
        ttlSeconds: ACTIVITY_KEPT_SECONDS,
        urgency: isAlerting(message) ? 'high' : 'low',
        topic: webPushTopic(`activity ${message.activity.id}`),
      }
  }
}

function apnsNotificationRequest(push: NotificationPush, deviceId: DeviceId): ApnsRequest {
  const { notification, collapseId, repeat, wokenAt } = push
  return {
    type: 'alert',
    // iOS may delay priority 5 to save power, which fits passive notifications.
    priority: notification.level === 'passive' ? 5 : 10,
    id: notificationPushId(notification.id, deviceId, wokenAt ?? repeat),
    collapseId,
    expiresAt: plusSeconds(wokenAt ?? notification.createdAt, NOTIFICATION_KEPT_SECONDS),
    payload: apnsNotification(push),
  }
}

function webPushNotificationRequest(push: NotificationPush): WebPushRequest {
  const { notification, collapseId } = push
  return {
    payload: webPushNotification(push),
    ttlSeconds: NOTIFICATION_KEPT_SECONDS,
    urgency: webPushUrgency(notification.level),
    topic: collapseId === undefined ? undefined : webPushTopic(collapseId),
  }
}

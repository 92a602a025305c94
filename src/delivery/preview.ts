// What would be pushed, for dry runs: the very payloads that delivery sends, with their size on the wire.
import type { PushPreview } from '../contract/dry-run.ts'
import type { Activity } from '../domain/activity.ts'
import { makeTicket } from '../domain/answer-ticket.ts'
import { toUnixSeconds } from '../domain/instant.ts'
import { isAnswerable } from '../domain/notification.ts'
import type { PushSubject } from '../operations/context.ts'
import { apnsActivity, webPushActivity } from './payload/activity.ts'
import { apnsAlert, webPushMessage } from './payload/notification.ts'
import { apnsWidgetReload, webWidgetReload } from './payload/widget.ts'

export function previewPushes(subject: PushSubject): PushPreview[] {
  if (subject.kind === 'widget-reload') {
    return [
      preview('apns', JSON.stringify(apnsWidgetReload())),
      preview('web_push', JSON.stringify(webWidgetReload(subject.slug))),
    ]
  }
  if (subject.kind === 'activity') return previewActivity(subject.activity)
  const { notification, collapseId } = subject
  // A real one is signed and as long as this.
  const ticket = isAnswerable(notification) ? makeTicket(Buffer.alloc(32), notification.id) : undefined
  return [
    preview('apns', apnsAlert(notification, { badge: 1, ticket })),
    preview('web_push', webPushMessage(notification, { badge: 1, ticket, collapseId })),
  ]
}

// As an update; a start has the attributes besides.
function previewActivity(activity: Activity): PushPreview[] {
  const event = activity.state === 'ongoing' ? 'update' : 'end'
  const push = { activity, event, timestamp: toUnixSeconds(activity.updatedAt) } as const
  return [preview('apns', apnsActivity(push)), preview('web_push', webPushActivity(push))]
}

function preview(channel: PushPreview['channel'], payload: string): PushPreview {
  return { channel, payload: JSON.parse(payload), bytes: Buffer.byteLength(payload) }
}

// What would be pushed, for dry runs: the very payloads that delivery sends, with their size on the wire.
import type { PushPreview } from '../contract/dry-run.ts'
import { questionOf } from '../domain/activities/templates/approval.ts'
import type { History } from '../domain/activities/timeline-history.ts'
import { toUnixSeconds } from '../domain/instant.ts'
import { isAnswerable } from '../domain/notifications/answer.ts'
import { makeApprovalTicket, makeTicket } from '../domain/notifications/answer-ticket.ts'
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
  if (subject.kind === 'activity') return previewActivity(subject)
  const { notification, collapseId } = subject
  // A real one is signed and as long as this.
  const ticket = isAnswerable(notification) ? makeTicket(Buffer.alloc(32), notification.id) : undefined
  return [
    preview('apns', apnsAlert(notification, { badge: 1, ticket })),
    preview('web_push', webPushMessage(notification, { badge: 1, ticket, collapseId })),
  ]
}

function previewActivity({ activity, event }: PushSubject & { kind: 'activity' }): PushPreview[] {
  const { history, ...content } = activity.content
  const isAsking = questionOf(content) && activity.state === 'ongoing'
  const push = {
    activity: { ...activity, content },
    event,
    timestamp: toUnixSeconds(activity.updatedAt),
    history: history as History | undefined,
    sound: activity.alert?.version === activity.updatedAt ? activity.alert.sound : undefined,
    ticket: isAsking ? makeApprovalTicket(Buffer.alloc(32), { activityId: activity.id, round: 1 }) : undefined,
  }
  return [preview('apns', apnsActivity(push)), preview('web_push', webPushActivity(push))]
}

function preview(channel: PushPreview['channel'], payload: string): PushPreview {
  return { channel, payload: JSON.parse(payload), bytes: Buffer.byteLength(payload) }
}

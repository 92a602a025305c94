// The payloads that a change would push, for dry runs: built like those of a real push, with their size on the wire.
import type { PushPreview } from '../contract/dry-run.ts'
import { questionOf } from '../domain/activities/templates/approval.ts'
import type { History } from '../domain/activities/timeline-history.ts'
import { isAnswerable } from '../domain/answers/answer.ts'
import { makeApprovalTicket, makeTicket } from '../domain/answers/answer-ticket.ts'
import { deviceId } from '../domain/devices.ts'
import { shownByBark } from '../domain/doors/bark/shown.ts'
import { tagOf } from '../domain/doors/tag.ts'
import { toUnixSeconds } from '../domain/instant.ts'
import type { PushSubject } from '../domain/push.ts'
import { barkPayload, fittedForBark } from './payload/bark.ts'
import { apnsRequest, type OwnMessage, webPushRequest } from './requests.ts'

export function previewPushes(subject: PushSubject): PushPreview[] {
  const message = messageOf(subject)
  return [
    preview('apns', apnsRequest(message, NO_DEVICE).payload),
    preview('web_push', webPushRequest(message).payload),
    ...(subject.kind === 'notification' ? barkPreview(subject) : []),
  ]
}

// As it is before it is encrypted for the app.
function barkPreview({ notification, collapseId, bark }: PushSubject & { kind: 'notification' }): PushPreview[] {
  if (!bark) return []
  const { options, publicUrl, isAlert } = bark
  const { userId, id } = notification
  const shown = {
    notification,
    record: undefined,
    tag: tagOf(PREVIEW_KEY, { userId, id, collapseId }),
    badge: 1,
    isAlert,
    answerUrl: `${publicUrl}/answers/${makeTicket(PREVIEW_KEY, id)}`,
    consoleUrl: `${publicUrl}/app/n/${id}`,
  }
  return [preview('bark', JSON.stringify(barkPayload(fittedForBark(shownByBark(shown, options), undefined))))]
}

// The id of the device is part of the push id only, not of the payload.
const NO_DEVICE = deviceId('')
// Tickets signed with this key have the length of real ones and open nothing.
const PREVIEW_KEY = Buffer.alloc(32)

function messageOf(subject: PushSubject): OwnMessage {
  switch (subject.kind) {
    case 'notification':
      return notificationMessage(subject)
    case 'widget-reload':
      return subject
    case 'activity':
      return activityMessage(subject)
  }
}

function notificationMessage({ notification, collapseId }: PushSubject & { kind: 'notification' }): OwnMessage {
  const ticket = isAnswerable(notification) ? makeTicket(PREVIEW_KEY, notification.id) : undefined
  return { kind: 'notification', notification, badge: 1, ticket, collapseId, repeat: 0 }
}

function activityMessage({ activity, event }: PushSubject & { kind: 'activity' }): OwnMessage {
  const { history, ...content } = activity.content
  const isAsking = questionOf(content) && activity.state === 'ongoing'
  return {
    kind: 'activity',
    activity: { ...activity, content },
    event,
    timestamp: toUnixSeconds(activity.updatedAt),
    history: history as History | undefined,
    sound: activity.alert?.version === activity.updatedAt ? activity.alert.sound : undefined,
    ticket: isAsking ? makeApprovalTicket(PREVIEW_KEY, { activityId: activity.id, round: 1 }) : undefined,
  }
}

function preview(channel: PushPreview['channel'], payload: string): PushPreview {
  return { channel, payload: JSON.parse(payload), bytes: Buffer.byteLength(payload) }
}

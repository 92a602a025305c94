// What would be pushed, for dry runs: the very payloads that delivery sends, with their size on the wire.
import type { PushPreview } from '../contract/dry-run.ts'
import { makeTicket } from '../domain/answer-ticket.ts'
import { isAnswerable } from '../domain/notification.ts'
import type { PushSubject } from '../operations/context.ts'
import { apnsAlert, webPushMessage } from './payload/notification.ts'
import { apnsWidgetReload, webWidgetReload } from './payload/widget.ts'

export function previewPushes(subject: PushSubject): PushPreview[] {
  if (subject.kind === 'widget-reload') {
    return [
      preview('apns', JSON.stringify(apnsWidgetReload())),
      preview('web_push', JSON.stringify(webWidgetReload(subject.slug))),
    ]
  }
  const { notification, collapseId } = subject
  // A real one is signed and as long as this.
  const ticket = isAnswerable(notification) ? makeTicket(Buffer.alloc(32), notification.id) : undefined
  return [
    preview('apns', apnsAlert(notification, { badge: 1, ticket })),
    preview('web_push', webPushMessage(notification, { badge: 1, ticket, collapseId })),
  ]
}

function preview(channel: PushPreview['channel'], payload: string): PushPreview {
  return { channel, payload: JSON.parse(payload), bytes: Buffer.byteLength(payload) }
}

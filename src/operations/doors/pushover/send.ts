// Sends a message for Pushover, or shows a glance. The application is the integration key of the caller.

import { Problem } from '../../../contract/problems.ts'
import type { WidgetContentPatch } from '../../../contract/widgets.ts'
import { forbiddenUrlReason } from '../../../domain/address-rules.ts'
import type { Caller, KeyCaller } from '../../../domain/caller.ts'
import { GLANCE_SLUG } from '../../../domain/doors/pushover/glance.ts'
import {
  fromPushover,
  type PushoverApplication,
  type PushoverAttachment,
} from '../../../domain/doors/pushover/mapping.ts'
import { type PushoverMessage, PushoverRefusal } from '../../../domain/doors/pushover/message.ts'
import type { NotificationId } from '../../../domain/notifications/notification.ts'
import { requireLevel } from '../../../domain/permissions.ts'
import type { QuotaEffect } from '../../../domain/quota.ts'
import { findDefaultKey } from '../../../store/integration-keys.ts'
import type { Context } from '../../context.ts'
import { sendNotification } from '../../notifications/send.ts'
import { patchWidget, putWidget } from '../../widgets/widgets.ts'
import { findNamedDevices } from './validate.ts'

// `quota`: undefined if the message was not charged.
export type SentFromPushover = { notificationId: NotificationId; quota?: QuotaEffect }

export async function sendFromPushover(
  ctx: Context,
  caller: Caller,
  message: PushoverMessage,
  attachment: PushoverAttachment | undefined,
): Promise<SentFromPushover> {
  requireLevel(caller, 'notifications', 'send')
  requireCallback(ctx, message)
  const application = caller.kind === 'key' ? applicationOf(caller) : await findDefaultApplication(ctx, caller)
  const onlyDevices = await findNamedDevices(ctx, caller, message.device)
  const sent = await sendNotification(ctx, caller, {
    ...fromPushover(message, application, attachment),
    onlyDevices,
  })
  if (!('result' in sent)) throw new Error('a send without an Idempotency-Key was replayed')
  const { notification, quota } = sent.result
  return { notificationId: notification.id, quota }
}

// Unlike ours it may be plain http, which reaches only addresses that the operator has opened.
function requireCallback({ config }: Context, { callback }: PushoverMessage): void {
  const reason = callback === undefined ? undefined : forbiddenUrlReason(callback, config.outboundAllow, false)
  if (reason !== undefined) throw new PushoverRefusal('callback', 'is invalid', `callback ${reason}`)
}

const applicationOf = ({ keyId, keyName }: KeyCaller): PushoverApplication => ({ id: keyId, name: keyName })

// A person sends as their default key.
async function findDefaultApplication({ db }: Context, { userId }: Caller): Promise<PushoverApplication> {
  const key = await findDefaultKey(db.read, userId)
  return { id: key?.id ?? userId, name: key?.name ?? 'Pushover' }
}

// Shows a glance of Pushover as a widget, which the first glance creates.
export async function showGlance(ctx: Context, caller: Caller, content: WidgetContentPatch): Promise<void> {
  try {
    await patchWidget(ctx, caller, GLANCE_SLUG, { patch: { content }, mode: 'commit' })
  } catch (error) {
    if (!(error instanceof Problem && error.problem === 'widget.not_found')) throw error
    const whole = { template: 'value', ...content } as Parameters<typeof putWidget>[2]['content']
    await putWidget(ctx, caller, { slug: GLANCE_SLUG, name: 'Glance', content: whole }, 'commit')
  }
}

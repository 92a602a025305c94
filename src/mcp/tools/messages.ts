// Tools that send notifications and alerts, and follow an alert until someone acknowledges it.
import { Type } from 'typebox'
import { closed, NotificationId, Text } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { NotificationInput, SentNotificationView } from '../../contract/notifications/notification.ts'
import { ReceiptView } from '../../contract/receipts.ts'
import { sendNotification } from '../../operations/notifications/send.ts'
import { cancelReceipt, readReceipt } from '../../operations/receipts/receipts.ts'
import { sentNotificationView } from '../../views/notifications.ts'
import { receiptView } from '../../views/receipts.ts'
import { createdView, IDEMPOTENCY, onceOnly, WAIT_SECONDS } from './shared-arguments.ts'
import { defineTool, READS } from './tool.ts'

const {
  acknowledge,
  tags,
  callback_url,
  encrypted: _,
  attachments: __,
  title: ___,
  body: ____,
  ...optional
} = NotificationInput.properties

// A notification without the members of alerts. Encryption is left out, because an agent has no key to encrypt with, and so are
// files, which it cannot upload.
export const MESSAGE = {
  title: Text(LIMITS.notification.maxTitleChars, { minLength: 1 }),
  body: Text(LIMITS.notification.maxBodyChars, { minLength: 1 }),
  ...optional,
}

const { attachments: _files, ...sent } = SentNotificationView.properties
const Sent = Type.Object(sent)

const toSend = { resource: 'notifications', level: 'send' } as const
const ABOUT_ALERT = Type.Object({ notification_id: NotificationId }, closed)

export const sendNotificationTool = defineTool({
  name: 'send_notification',
  title: 'Send a notification',
  description:
    'Sends a notification to the devices of the account. It returns when the push services have answered, after three seconds at most; it does not wait for a person.',
  input: Type.Object({ ...MESSAGE, ...IDEMPOTENCY }, closed),
  output: Sent,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  access: toSend,
  run: async (ctx, caller, args) => {
    const { message, request } = onceOnly('send_notification', args)
    return createdView(await sendNotification(ctx, caller, message, request), sentNotificationView)
  },
})

export const sendAlertTool = defineTool({
  name: 'send_alert',
  title: 'Send an alert that repeats until it is acknowledged',
  description:
    'Sends a notification that repeats until a person acknowledges it or it expires. It does not wait: get_receipt tells whether it was acknowledged, cancel_alert stops it.',
  input: Type.Object({ ...MESSAGE, acknowledge, tags, callback_url, ...IDEMPOTENCY }, closed),
  output: Sent,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  access: toSend,
  run: async (ctx, caller, args) => {
    const { message, request } = onceOnly('send_alert', args)
    const alert = { ...message, acknowledge: message.acknowledge ?? {} }
    return createdView(await sendNotification(ctx, caller, alert, request), sentNotificationView)
  },
})

export const getReceiptTool = defineTool({
  name: 'get_receipt',
  title: 'Read whether an alert was acknowledged',
  description: 'Reads the receipt of an alert: active, acknowledged (by whom and when), expired or canceled.',
  input: Type.Object({ ...ABOUT_ALERT.properties, wait_seconds: WAIT_SECONDS }, closed),
  output: ReceiptView,
  annotations: READS,
  access: toSend,
  run: async (ctx, caller, { notification_id, wait_seconds: seconds = 0 }, { ended }) =>
    receiptView(await readReceipt(ctx, caller, notification_id, { seconds, heldBy: 'agent', gone: ended })),
})

export const cancelAlertTool = defineTool({
  name: 'cancel_alert',
  title: 'Stop an alert',
  description: 'Stops the repeats of an alert. An alert that has ended already is not changed.',
  input: ABOUT_ALERT,
  output: ReceiptView,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  access: toSend,
  run: async (ctx, caller, { notification_id }) => receiptView(await cancelReceipt(ctx, caller, notification_id)),
})

// The requests that the server makes to addresses of its clients.
import { CallbackBody } from '../../contract/receipts.ts'

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const callback = (operationId: string, summary: string, description: string) => ({
  post: {
    operationId,
    summary,
    description,
    security: [],
    parameters: [
      header('webhook-id', 'The id of the message, the same at every attempt.'),
      header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
      header('webhook-signature', 'HMAC-SHA256 of id, timestamp and body: `v1,` and base64.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: CallbackBody } } },
    responses: {
      '2XX': { description: 'The callback is delivered.' },
      410: { description: 'The callback is not attempted again.' },
      default: { description: 'The callback is attempted again, at most seven times in all.' },
    },
  },
})

export const CALLBACKS = {
  ReceiptEnded: {
    '{$request.body#/callback_url}': callback(
      'receiveReceiptEnded',
      'An alert was acknowledged or has expired',
      'Signed as Standard Webhooks describes. A canceled alert makes no callback.',
    ),
  },
  AlertEscalated: {
    '{$request.body#/steps/0/callback_url}': callback(
      'receiveAlertEscalated',
      'A step of an escalation policy was taken',
      'To the `callback_url` of the step, signed as all callbacks: with the key that sent the alert, or with the default key of the account if no key did.',
    ),
  },
}

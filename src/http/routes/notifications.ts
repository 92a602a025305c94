// Sending notifications over HTTP.
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import { NotificationInput, SentNotificationView } from '../../contract/notification.ts'
import { CallbackBody } from '../../contract/receipt.ts'
import type { Context } from '../../operations/context.ts'
import {
  type RehearsedNotification,
  rehearseNotification,
  sendNotification,
} from '../../operations/notifications/send.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { notificationView, sentNotificationView } from '../../views/notification.ts'
import { receiptView } from '../../views/receipt.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { idempotentRequest, replyCreated } from '../idempotency.ts'

export function notificationRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/notifications',
    {
      schema: {
        tags: ['Notifications'],
        summary: 'Send a notification',
        description:
          'Stored before it is pushed. The answer waits at most three seconds for the push services; what is still open then is retried in the background. With an `Idempotency-Key` header the same request is carried out once within 24 hours.',
        querystring: DryRunQuery,
        body: NotificationInput,
        response: { 201: SentNotificationView, 200: DryRun },
        callbacks: { ended: { '{$request.body#/callback_url}': { post: CALLBACK } } },
      },
      config: {
        access: { resource: 'notifications', level: 'send' },
        problems: [
          'notification.invalid',
          'notification.activity_not_found',
          'notification.answer_url_unavailable',
          'notification.encrypted_too_large',
          'notification.not_found',
          'notification_receipt.disabled',
          'notification_receipt.limit_exceeded',
          'org.target_unavailable',
          'integration_key.slug_invalid',
          'idempotency.key_reused',
          'idempotency.in_progress',
          'quota.exceeded',
        ],
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      if (request.query.dry_run) {
        return reply.code(200).send(notificationDryRunView(await rehearseNotification(ctx, caller, request.body)))
      }
      const sent = await sendNotification(ctx, caller, request.body, idempotentRequest(request))
      return replyCreated(reply, sent, sentNotificationView)
    },
  )
}

const CALLBACK = {
  requestBody: {
    description:
      'Sent when the alert is acknowledged or expires, with `webhook-id`, `webhook-timestamp` and `webhook-signature` as Standard Webhooks has them.',
    content: { 'application/json': { schema: CallbackBody } },
  },
  responses: {
    '2XX': { description: 'Delivered.' },
    410: { description: 'Not tried again.' },
    default: { description: 'Tried again, at most seven times in all.' },
  },
}

function notificationDryRunView({ notification, receipt, effects }: RehearsedNotification): DryRun {
  const resource = { ...notificationView(notification), receipt: receipt && receiptView(receipt) }
  return dryRunView(notification.pushed ? 'sent' : 'stored', resource, effects)
}

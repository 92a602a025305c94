// Sending notifications over HTTP.
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import { NotificationInput, SentNotificationView } from '../../contract/notifications/notification.ts'
import type { Context } from '../../operations/context.ts'
import { beginSending, rehearseNotification, sendNotification } from '../../operations/notifications/send.ts'
import type { RehearsedNotification } from '../../operations/notifications/store.ts'
import { dryRunView } from '../../views/dry-run.ts'
import { notificationView, sentNotificationView } from '../../views/notifications.ts'
import { receiptView } from '../../views/receipts.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { IdempotencyHeaders, idempotentRequest, replyCreated } from '../idempotency.ts'

export function notificationRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/notifications',
    {
      schema: {
        tags: ['Notifications'],
        operationId: 'createNotification',
        summary: 'Send a notification',
        description:
          'The notification is stored before it is pushed. The response waits at most three seconds for the push services; pushes that are not done by then go on in the background.',
        querystring: DryRunQuery,
        requestHeaders: IdempotencyHeaders,
        body: NotificationInput,
        response: { 201: SentNotificationView, 200: DryRun },
        callbacks: { receiptEnded: 'ReceiptEnded' },
      },
      config: {
        access: { resource: 'notifications', level: 'send' },
        countsRefusals: true,
        isIdempotent: true,
        begin(request) {
          request.reservedId = beginSending(ctx)
        },
        problems: [
          'notification.invalid',
          'notification.activity_not_found',
          'notification.answer_url_unavailable',
          'notification.encrypted_too_large',
          'notification.not_found',
          'notification_receipt.disabled',
          'notification_receipt.limit_exceeded',
          'escalation.unknown',
          'escalation.after_expiry',
          'notification.encryption_unavailable',
          'org.target_unavailable',
          'org.target_invalid',
          'integration_key.target_denied',
          'org.target_unknown',
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
      const sent = await sendNotification(ctx, caller, request.body, idempotentRequest(request), request.reservedId)
      return replyCreated(reply, sent, sentNotificationView)
    },
  )
}

function notificationDryRunView({ notification, receipt, effects }: RehearsedNotification): DryRun {
  const resource = { ...notificationView(notification), receipt: receipt && receiptView(receipt) }
  return dryRunView(notification.pushed ? 'sent' : 'stored', resource, effects)
}

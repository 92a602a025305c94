// Sending notifications over HTTP.
import { DryRun, DryRunQuery } from '../../contract/dry-run.ts'
import { NotificationInput, SentNotificationView } from '../../contract/notification.ts'
import { receiptView } from '../../domain/receipts/view.ts'
import type { Context } from '../../operations/context.ts'
import { rememberAnswer } from '../../operations/idempotency.ts'
import {
  type Rehearsed,
  rehearseNotification,
  type Sent,
  sendNotification,
} from '../../operations/notifications/send.ts'
import type { HttpServer } from '../fastify-types.ts'
import { IdempotencyHeaders, idempotencyKeyOf, sendStored } from '../idempotency.ts'
import { callerOf } from '../request-checks.ts'
import { notificationView } from './notification-view.ts'

export function notificationRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/notifications',
    {
      schema: {
        tags: ['Notifications'],
        operationId: 'sendNotification',
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
        isIdempotent: true,
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
        const rehearsed = await rehearseNotification(ctx, caller, request.body)
        return reply.code(200).send(dryRunView(ctx, rehearsed))
      }
      const once = idempotencyKeyOf(request)
      const result = await sendNotification(ctx, caller, request.body, once)
      if ('replay' in result) {
        reply.code(201).header('idempotent-replayed', 'true')
        if ('sent' in result.replay) return reply.send(sentView(result.replay.sent))
        return sendStored(reply, result.replay.stored)
      }
      const view = sentView(result.sent)
      if (once) await rememberAnswer(ctx, once, result.sent.notification.id, JSON.stringify(view))
      return reply.code(201).send(view)
    },
  )
}

function sentView({ notification, delivery, answerable, receipt }: Sent): SentNotificationView {
  return {
    delivery: delivery.delivery,
    reason: delivery.reason,
    answerable: answerable || undefined,
    receipt: receipt && receiptView(receipt),
    ...notificationView(notification),
  }
}

function dryRunView(ctx: Context, { notification, receipt, collapseId, quota }: Rehearsed): DryRun {
  return {
    valid: true,
    would: {
      action: notification.pushed ? 'sent' : 'stored',
      resource: { ...notificationView(notification), receipt: receipt && receiptView(receipt) },
      pushes: notification.pushed ? ctx.push.preview({ kind: 'notification', notification, collapseId }) : [],
      quota: quota && { ...quota, limit: quota.limit ?? undefined },
    },
  }
}

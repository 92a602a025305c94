// Receipts over HTTP: senders read them, wait for them and cancel them.
import { Wait } from '../../contract/fields.ts'
import { CancelByTagInput, CancelByTagResult, ReceiptView } from '../../contract/receipt.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Context } from '../../operations/context.ts'
import { cancelByTag, cancelReceipt, readReceipt } from '../../operations/receipts/receipts.ts'
import { receiptView } from '../../views/receipt.ts'
import { callerOf } from '../caller.ts'
import { disconnectSignal } from '../connections/client-disconnect.ts'
import type { HttpServer } from '../fastify-types.ts'
import { NotificationParams } from './inbox.ts'

const tags = ['Receipts']
const access = { resource: 'notifications', level: 'send' } as const

export function receiptRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/notifications/receipts/:id',
    {
      schema: {
        tags,
        summary: 'Whether a notification was acknowledged',
        params: NotificationParams,
        querystring: Wait('Seconds to hold the request while the receipt is active.'),
        response: { 200: ReceiptView },
      },
      config: { access, problems: ['notification_receipt.not_found', 'answer_wait.limit_exceeded'] },
    },
    async (request, reply) => {
      const wait = { seconds: request.query.wait ?? 0, gone: disconnectSignal(reply) }
      return receiptView(await readReceipt(ctx, callerOf(request), request.params.id as NotificationId, wait))
    },
  )

  app.post(
    '/notifications/receipts/:id/cancel',
    {
      schema: {
        tags,
        summary: 'Stop the repeats of a notification',
        description: 'No callback is sent, and banners that are there stay. A receipt that has ended stays as it is.',
        params: NotificationParams,
        response: { 200: ReceiptView },
      },
      config: { access, problems: ['notification_receipt.not_found', 'request.validation_failed'] },
    },
    async (request) => receiptView(await cancelReceipt(ctx, callerOf(request), request.params.id as NotificationId)),
  )

  app.post(
    '/notifications/receipts/cancel',
    {
      schema: {
        tags,
        summary: 'Stop the repeats of everything with a tag',
        description: 'Of what the calling key has sent; with a full-access token, of the account.',
        body: CancelByTagInput,
        response: { 200: CancelByTagResult },
      },
      config: { access },
    },
    async (request) => ({ canceled: await cancelByTag(ctx, callerOf(request), request.body.tag) }),
  )
}

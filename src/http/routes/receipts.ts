// Receipts over HTTP: senders read them, wait for them and cancel them.
import { Wait } from '../../contract/fields.ts'
import { ReceiptList, ReceiptQuery } from '../../contract/notifications/inbox.ts'
import { NotificationParams } from '../../contract/notifications/notification.ts'
import { CancelByTagInput, CancelByTagResult, ReceiptView } from '../../contract/receipts.ts'
import type { Context } from '../../operations/context.ts'
import { readReceiptPage } from '../../operations/receipts/list.ts'
import { cancelByTag, cancelReceipt, readReceipt } from '../../operations/receipts/receipts.ts'
import { listedReceiptView } from '../../views/notifications.ts'
import { pageView } from '../../views/page.ts'
import { receiptView } from '../../views/receipts.ts'
import { callerOf } from '../caller.ts'
import { disconnectSignal } from '../connections/client-disconnect.ts'
import type { HttpServer } from '../fastify-types.ts'

const tags = ['Receipts']
const access = { resource: 'notifications', level: 'send' } as const

export function receiptRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/notifications/receipts',
    {
      schema: {
        tags,
        operationId: 'listReceipts',
        summary: 'List alerts that still repeat, or have ended, newest first',
        description:
          'A key lists the receipts of notifications that it sent. Finished receipts are kept for seven days.',
        querystring: ReceiptQuery,
        response: { 200: ReceiptList },
      },
      config: { access, problems: ['cursor.invalid'] },
    },
    async (request) => pageView(await readReceiptPage(ctx, callerOf(request), request.query), listedReceiptView),
  )

  app.get(
    '/notifications/receipts/:id',
    {
      schema: {
        tags,
        operationId: 'getReceipt',
        summary: 'Read whether a notification was acknowledged, or wait for it',
        params: NotificationParams,
        querystring: Wait('Seconds to hold the request while the receipt is active.'),
        response: { 200: ReceiptView },
      },
      config: { access, problems: ['notification_receipt.not_found', 'answer_wait.limit_exceeded'] },
    },
    async (request, reply) => {
      const wait = { seconds: request.query.wait ?? 0, gone: disconnectSignal(reply) }
      return receiptView(await readReceipt(ctx, callerOf(request), request.params.id, wait))
    },
  )

  app.post(
    '/notifications/receipts/:id/cancel',
    {
      schema: {
        tags,
        operationId: 'cancelReceipt',
        summary: 'Stop the repeats of a notification',
        description: 'Sends no callback and keeps the banners on the devices. A receipt that has ended is not changed.',
        params: NotificationParams,
        response: { 200: ReceiptView },
      },
      config: { access, problems: ['notification_receipt.not_found', 'request.validation_failed'] },
    },
    async (request) => receiptView(await cancelReceipt(ctx, callerOf(request), request.params.id)),
  )

  app.post(
    '/notifications/receipts/cancel',
    {
      schema: {
        tags,
        operationId: 'cancelReceiptsByTag',
        summary: 'Stop the repeats of all notifications with a tag',
        description:
          'Cancels the receipts of notifications that the calling key sent; with a full-access token, of the whole account.',
        body: CancelByTagInput,
        response: { 200: CancelByTagResult },
      },
      config: { access },
    },
    async (request) => ({ canceled: await cancelByTag(ctx, callerOf(request), request.body.tag) }),
  )
}

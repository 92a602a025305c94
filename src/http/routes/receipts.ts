// Receipts over HTTP: senders read them, wait for them and cancel them.
import { Wait } from '../../contract/fields.ts'
import { ReceiptList, ReceiptQuery } from '../../contract/notifications/inbox.ts'
import { NotificationParams } from '../../contract/notifications/notification.ts'
import { CancelByTagInput, CancelByTagResult, ReceiptView } from '../../contract/receipts.ts'
import type { Context } from '../../operations/context.ts'
import { readReceiptPage } from '../../operations/notifications/receipts.ts'
import { cancelByTag, cancelReceipt, readReceipt } from '../../operations/receipts/receipts.ts'
import { listedReceiptView } from '../../views/notifications.ts'
import { pageView } from '../../views/page.ts'
import { receiptView } from '../../views/receipts.ts'
import { route, table } from '../route.ts'

const toSend = { resource: 'notifications', level: 'send' } as const

export const receiptRoutes = (ctx: Context) =>
  table({ tag: 'Receipts', organization: true, access: toSend }, [
    route('GET /notifications/receipts', {
      id: 'listReceipts',
      summary: 'List alerts that still repeat, or have ended, newest first',
      description: 'A key lists the receipts of notifications that it sent. Finished receipts are kept for seven days.',
      query: ReceiptQuery,
      ok: ReceiptList,
      problems: ['cursor.invalid'],
      handle: async ({ caller, query }) => pageView(await readReceiptPage(ctx, caller, query), listedReceiptView),
    }),

    route('GET /notifications/receipts/:id', {
      id: 'getReceipt',
      summary: 'Read whether a notification was acknowledged, or wait for it',
      params: NotificationParams,
      query: Wait('Seconds to hold the request while the receipt is active.'),
      ok: ReceiptView,
      problems: ['notification_receipt.not_found', 'answer_wait.limit_exceeded'],
      handle: async ({ caller, params, query, gone }) => {
        const wait = { seconds: query.wait ?? 0, gone }
        return receiptView(await readReceipt(ctx, caller, params.id, wait))
      },
    }),

    route('POST /notifications/receipts/:id/cancel', {
      id: 'cancelReceipt',
      summary: 'Stop the repeats of a notification',
      description: 'Sends no callback and keeps the banners on the devices. A receipt that has ended is not changed.',
      params: NotificationParams,
      ok: ReceiptView,
      problems: ['notification_receipt.not_found', 'request.validation_failed'],
      handle: async ({ caller, params }) => receiptView(await cancelReceipt(ctx, caller, params.id)),
    }),

    route('POST /notifications/receipts/cancel', {
      id: 'cancelReceiptsByTag',
      summary: 'Stop the repeats of all notifications with a tag',
      description:
        'Cancels the receipts of notifications that the calling key sent; with a full-access token, of the whole account.',
      body: CancelByTagInput,
      ok: CancelByTagResult,
      handle: async ({ caller, body }) => ({ canceled: await cancelByTag(ctx, caller, body.tag) }),
    }),
  ])

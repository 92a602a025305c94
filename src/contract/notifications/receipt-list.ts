// The list of receipts: alerts that still repeat, and those that have ended.
import { type Static, Type } from 'typebox'
import { Cursor, Limit, OneOf, Page } from '../fields.ts'
import { NotificationView } from '../notification.ts'
import { ReceiptView } from '../receipt.ts'

export const RECEIPT_LISTS = ['active', 'ended'] as const

export const ReceiptQuery = Type.Object({
  status: Type.Optional(OneOf(RECEIPT_LISTS, 'all receipts if left out')),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
})
export type ReceiptQuery = Static<typeof ReceiptQuery>

const ListedReceiptView = Type.Object(
  { ...ReceiptView.properties, notification: Type.Optional(NotificationView) },
  { title: 'ListedReceipt', description: 'A receipt, with its notification unless that was deleted.' },
)
export type ListedReceiptView = Static<typeof ListedReceiptView>

export const ReceiptList = Page('ReceiptList', ListedReceiptView)

// Receipts. Every change of state is a conditional update: the first commit wins.
import type { KeyId, UserId } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { NotificationId } from '../domain/notifications/notification.ts'
import type { Callback, Receipt, ReceiptEnding } from '../domain/receipts/receipt.ts'
import type { TokenHash } from '../domain/token.ts'
import type { Reader, Writer } from './engine/database.ts'
import { json, nested, optional, type Row, rowsOf, stored, unlessNull } from './engine/rows.ts'
import { FOR_UPDATE, type Fragment, fragment, list, type Sql, sql } from './engine/sql.ts'

export const receiptTopic = (id: NotificationId) => `receipt:${id}`

const ROWS = rowsOf<Receipt>('receipts', {
  notificationId: 'notification_id',
  userId: 'user_id',
  keyId: 'key_id',
  status: 'status',
  repeatSeconds: 'repeat_seconds',
  repeatsSent: 'repeats_sent',
  tags: json('tags'),
  escalation: stored('escalation', (text: string | null) => (text === null ? undefined : JSON.parse(text))),
  escalatedSteps: 'escalated_steps',
  collapseId: optional('collapse_id'),
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  lastDeliveredAt: optional('last_delivered_at'),
  finishedAt: optional('finished_at'),
  acknowledgedBy: optional('acknowledged_by'),
  acknowledgedByDevice: optional('acknowledged_by_device'),
  actionId: optional('action_id'),
  cancelReason: optional('cancel_reason'),
  callback: unlessNull(
    'callback_url',
    nested<Callback>({
      url: 'callback_url',
      form: optional('callback_form'),
      status: 'callback_status',
      attempts: 'callback_attempts',
      deliveredAt: optional('callback_delivered_at'),
      lastStatusCode: optional('callback_status_code'),
    }),
  ),
  groupId: optional('group_id'),
})

// `keyHash` is the hash of the secret that the notification was sent with.
export async function insertReceipt(tx: Writer, receipt: Receipt, keyHash: TokenHash | undefined): Promise<void> {
  const { callback } = receipt
  tx.queue(sql`insert into receipts (notification_id, user_id, key_id, key_hash, status, repeat_seconds, repeats_sent,
      tags, collapse_id, created_at, expires_at, callback_url, callback_form, callback_status,
      callback_attempts, escalation, group_id)
    values (${receipt.notificationId}, ${receipt.userId}, ${receipt.keyId}, ${keyHash ?? null}, ${receipt.status},
      ${receipt.repeatSeconds}, ${receipt.repeatsSent}, ${JSON.stringify(receipt.tags)}, ${receipt.collapseId ?? null},
      ${receipt.createdAt}, ${receipt.expiresAt}, ${callback?.url ?? null}, ${callback?.form ?? null},
      ${callback?.status ?? null}, 0, ${receipt.escalation ? JSON.stringify(receipt.escalation) : null},
      ${receipt.groupId ?? null})`)
}

export const findReceipt = (db: Reader, userId: UserId, id: NotificationId): Promise<Receipt | undefined> =>
  ROWS.first(db, sql`where user_id = ${userId} and notification_id = ${id}`)

// Those of some notifications, of several accounts. In no particular order.
export async function listReceiptsOf(
  db: Reader,
  userIds: readonly UserId[],
  ids: readonly NotificationId[],
): Promise<Receipt[]> {
  if (ids.length === 0) return []
  return ROWS.all(db, sql`where user_id in (${list(userIds)}) and notification_id in (${list(ids)})`)
}

export const listReceiptsForUpdate = (tx: Writer, userId: UserId, ids: readonly NotificationId[]): Promise<Receipt[]> =>
  ROWS.all(
    tx,
    sql`where user_id = ${userId} and notification_id in (${list(ids)}) order by notification_id ${FOR_UPDATE}`,
  )

// The group of alerts that share the receipt of this one.
export const listGroupForUpdate = (tx: Writer, userId: UserId, groupId: NotificationId): Promise<Receipt[]> =>
  ROWS.all(tx, sql`where user_id = ${userId} and group_id = ${groupId} order by notification_id ${FOR_UPDATE}`)

// The caller has locked the rows.
export async function setGroup(
  tx: Writer,
  userId: UserId,
  ids: readonly NotificationId[],
  groupId: NotificationId,
): Promise<void> {
  tx.queue(sql`update receipts set group_id = ${groupId}
    where user_id = ${userId} and notification_id in (${list(ids)})`)
}

// Few: an account has a bounded number of them.
export const listActiveReceipts = (db: Reader, userId: UserId): Promise<Receipt[]> =>
  ROWS.all(db, sql`where user_id = ${userId} and status = 'active' order by notification_id`)

export type ReceiptHalf = 'active' | 'ended'
const IN_HALF: Record<ReceiptHalf, Fragment> = {
  active: fragment(`status = 'active'`),
  ended: fragment(`status <> 'active'`),
}

// The newest before that one, newest first. `keyId`: only of notifications that this key sent. `withOrganizations`: also
// of organizations that the person is in; such a receipt has the id of the person's entry.
export type ReceiptListing = {
  halves: readonly ReceiptHalf[]
  keyId?: KeyId | undefined
  withOrganizations: boolean
  before?: NotificationId | undefined
}

export async function listReceipts(
  db: Reader,
  userId: UserId,
  { halves, keyId, withOrganizations, before }: ReceiptListing,
  limit: number,
): Promise<Receipt[]> {
  const end = before ?? Number.MAX_SAFE_INTEGER
  const ofKey = keyId === undefined ? sql`` : sql`and key_id = ${keyId}`
  const parts = halves.flatMap((half) => {
    const own = sql`select ${ROWS.columns}, notification_id as shown_id from receipts
      where user_id = ${userId} ${ofKey} and ${IN_HALF[half]} and notification_id < ${end}
      order by notification_id desc limit ${limit}`
    return withOrganizations ? [own, receiptsOfEntries(userId, half, end)] : [own]
  })
  const all = parts
    .map((part) => sql`select ${ROWS.columns}, shown_id from (${part}) part`)
    .reduce((some, part) => sql`${some} union all ${part}`)
  const rows = await db.all<Row>(sql`${all} order by shown_id desc limit ${limit}`)
  return rows.map((row) => ROWS.make({ ...row, notification_id: row.shown_id }))
}

// Entries are not in the order of their heads, so a cap bounds the heads that are looked at.
const MOST_HEADS = 1000

const receiptsOfEntries = (userId: UserId, half: ReceiptHalf, before: number): Sql =>
  sql`select ${ROWS.columns}, entry_id as shown_id
    from (select ${ROWS.columns} from receipts
        where user_id in (select org_id from memberships where memberships.user_id = ${userId})
          and ${IN_HALF[half]} and notification_id < ${before}
        order by notification_id desc limit ${MOST_HEADS}) heads
      join (select head_id, entry_id from org_recipients where user_id = ${userId}) entries on head_id = notification_id
    where entry_id < ${before} and exists (select 1 from notifications where id = entry_id)`

// Returns undefined if it had ended already.
export async function endReceipt(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  ending: ReceiptEnding,
  now: Instant,
): Promise<Receipt | undefined> {
  const acknowledged = ending.status === 'acknowledged' ? ending : undefined
  const row = await tx.first<Row>(sql`update receipts set status = ${ending.status}, finished_at = ${now},
      acknowledged_by = ${acknowledged?.by ?? null}, acknowledged_by_device = ${acknowledged?.device ?? null},
      action_id = ${acknowledged?.actionId ?? null},
      cancel_reason = ${ending.status === 'canceled' ? ending.reason : null}
    where user_id = ${userId} and notification_id = ${id} and status = 'active' returning ${ROWS.columns}`)
  if (row) tx.signal(receiptTopic(id))
  return row && ROWS.make(row)
}

// Counts the repeat. Returns undefined if it is not the next one, or the alert has ended.
export async function countRepeat(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  repeat: number,
  now: Instant,
): Promise<Receipt | undefined> {
  const row = await tx.first<Row>(sql`update receipts set repeats_sent = ${repeat}
    where user_id = ${userId} and notification_id = ${id} and status = 'active' and repeats_sent = ${repeat - 1}
      and expires_at > ${now} returning ${ROWS.columns}`)
  return row && ROWS.make(row)
}

// Counts a step of the escalation policy. It is a repeat, too: the repeat that waits for its time is then not the next one
// any more. Returns undefined if it is not the next step, or the alert has ended.
export async function countStep(
  tx: Writer,
  { userId, notificationId }: Pick<Receipt, 'userId' | 'notificationId'>,
  { step, repeatSeconds }: { step: number; repeatSeconds: number },
  now: Instant,
): Promise<Receipt | undefined> {
  const row = await tx.first<Row>(sql`update receipts set escalated_steps = ${step},
      repeats_sent = repeats_sent + 1, repeat_seconds = ${repeatSeconds}
    where user_id = ${userId} and notification_id = ${notificationId} and status = 'active'
      and escalated_steps = ${step - 1} and expires_at > ${now} returning ${ROWS.columns}`)
  return row && ROWS.make(row)
}

// Outcomes may be recorded out of order, so the time only moves forward.
export async function recordDelivery(tx: Writer, userId: UserId, id: NotificationId, at: Instant): Promise<void> {
  tx.queue(sql`update receipts set last_delivered_at = ${at}
    where user_id = ${userId} and notification_id = ${id} and coalesce(last_delivered_at, 0) < ${at}`)
}

// Returns false if another node has begun this attempt, or no attempt is left.
export async function beginCallbackAttempt(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  attempt: number,
): Promise<boolean> {
  const changed = await tx.execute(sql`update receipts set callback_attempts = ${attempt}
    where user_id = ${userId} and notification_id = ${id} and callback_status = 'pending'
      and callback_attempts = ${attempt - 1}`)
  return changed === 1
}

export async function updateCallback(
  tx: Writer,
  userId: UserId,
  id: NotificationId,
  { status, deliveredAt, lastStatusCode }: Pick<Callback, 'status' | 'deliveredAt' | 'lastStatusCode'>,
): Promise<void> {
  tx.queue(sql`update receipts set callback_status = ${status}, callback_delivered_at = ${deliveredAt ?? null},
      callback_status_code = coalesce(${lastStatusCode ?? null}, callback_status_code)
    where user_id = ${userId} and notification_id = ${id} and callback_status = 'pending'`)
}

// The hashes of the secret that the notification was sent with, and of the key's current secret if it differs.
export async function listCallbackKeys(db: Reader, userId: UserId, id: NotificationId): Promise<TokenHash[]> {
  const row = await db.first<{ sent_with: TokenHash | null; now: TokenHash | null }>(sql`select r.key_hash as sent_with,
      k.hash as now
    from receipts r left join integration_keys k on k.user_id = r.user_id and k.id = r.key_id
    where r.user_id = ${userId} and r.notification_id = ${id}`)
  return [...new Set([row?.sent_with, row?.now])].filter((hash) => hash != null)
}

export async function deleteReceiptsFinishedBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from receipts where notification_id in (select notification_id from receipts
    where status <> 'active' and finished_at < ${at} order by finished_at limit ${limit})`)
}

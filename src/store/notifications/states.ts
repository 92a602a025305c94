// The answers and receipts of the notifications of a page, and which notifications wait for an answer.

import { type AnswerState, answerStatus, type NotificationState } from '../../domain/answers/state.ts'
import type { UserId } from '../../domain/caller.ts'
import { instant, instantOrNull } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Receipt } from '../../domain/receipts/receipt.ts'
import type { Reader } from '../engine/database.ts'
import { list, sql } from '../engine/sql.ts'

// By the ids of the notifications; of an entry, by the id of the organization's notification. A notification without an
// answer, or of an organization that the person is not in, is left out.
export async function listStates(
  db: Reader,
  userId: UserId,
  ids: readonly NotificationId[],
): Promise<Map<NotificationId, NotificationState>> {
  const rows = await db.all<StateRow>(sql`select a.notification_id, a.has_receipt, a.action_id, a.text, a.answered_at,
      a.answered_by, d.name as device, r.status as receipt_status, r.expires_at, r.repeats_sent, r.finished_at,
      r.acknowledged_by, r.acknowledged_by_device
    from answers a left join receipts r on r.notification_id = a.notification_id
      left join devices d on d.user_id = coalesce(a.answered_by, a.user_id) and d.id = a.device
    where a.notification_id in (${list(ids)}) and (a.user_id = ${userId}
      or exists (select 1 from memberships m where m.org_id = a.user_id and m.user_id = ${userId}))`)
  return new Map(rows.map((row) => [row.notification_id, toState(row)]))
}

// A cap for the notifications of organizations, whose entries are not in the order of their heads.
const MOST_OF_ORGANIZATIONS = 1000

// The newest notifications before that one that wait for an answer, newest first: open questions and active alerts of the
// account, and of the organizations that the person is in. They may have been deleted from the inbox.
export async function listWaitingIds(
  db: Reader,
  userId: UserId,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number; limit: number },
): Promise<NotificationId[]> {
  const rows = await db.all<{ id: NotificationId }>(sql`
    select id from (select notification_id as id from answers
      where user_id = ${userId} and status = 'pending' and has_receipt = 0 and notification_id < ${before}
      order by notification_id desc limit ${limit}) questions
    union all select id from (select notification_id as id from receipts
      where user_id = ${userId} and status = 'active' and notification_id < ${before}) alerts
    union all select r.entry_id as id from (
        select head_id from (select a.notification_id as head_id from memberships m
            join answers a on a.user_id = m.org_id and a.status = 'pending' and a.has_receipt = 0
            where m.user_id = ${userId} and a.notification_id < ${before}
            order by a.notification_id desc limit ${MOST_OF_ORGANIZATIONS}) org_questions
        union all select c.notification_id as head_id from memberships m
            join receipts c on c.user_id = m.org_id and c.status = 'active' where m.user_id = ${userId}
      ) heads join org_recipients r on r.head_id = heads.head_id and r.user_id = ${userId}
      where r.entry_id < ${before}
    order by id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

type StateRow = {
  notification_id: NotificationId
  has_receipt: number
  action_id: string | null
  text: string | null
  answered_at: number | null
  answered_by: UserId | null
  device: string | null
  receipt_status: Receipt['status'] | null
  expires_at: number | null
  repeats_sent: number | null
  finished_at: number | null
  acknowledged_by: UserId | null
  acknowledged_by_device: string | null
}

function toState(row: StateRow): NotificationState {
  const receipt = toReceipt(row)
  const alert = row.has_receipt === 1 ? { receipt } : undefined
  const given = toGiven(row)
  return { answer: { status: answerStatus(given !== undefined, alert), given }, receipt }
}

function toGiven(row: StateRow): AnswerState['given'] {
  if (row.action_id === null || row.answered_at === null) return undefined
  return {
    actionId: row.action_id,
    text: row.text ?? undefined,
    at: instant(row.answered_at),
    by: row.answered_by ?? undefined,
    device: row.device ?? undefined,
  }
}

function toReceipt(row: StateRow): NotificationState['receipt'] {
  if (row.receipt_status === null || row.expires_at === null) return undefined
  return {
    status: row.receipt_status,
    expiresAt: instant(row.expires_at),
    repeatsSent: row.repeats_sent ?? 0,
    finishedAt: instantOrNull(row.finished_at) ?? undefined,
    acknowledgedBy: row.acknowledged_by ?? undefined,
    acknowledgedByDevice: row.acknowledged_by_device ?? undefined,
  }
}

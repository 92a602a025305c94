// The answers and receipts of the notifications of a page, and which notifications wait for an answer.

import {
  type AnswerState,
  answerStatus,
  type NotificationState,
  type ReceiptState,
} from '../../domain/answers/state.ts'
import type { UserId } from '../../domain/caller.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader } from '../engine/database.ts'
import { flag, nested, optional, rowsOf, unlessNull } from '../engine/rows.ts'
import { list, sql } from '../engine/sql.ts'

type StoredState = Pick<AnswerState, 'given'> &
  Pick<NotificationState, 'receipt'> & { id: NotificationId; hasReceipt: boolean }

const ROWS = rowsOf<StoredState>(
  `answers a left join receipts r on r.notification_id = a.notification_id
    left join devices d on d.user_id = coalesce(a.answered_by, a.user_id) and d.id = a.device`,
  {
    id: 'a.notification_id',
    hasReceipt: flag('a.has_receipt'),
    given: unlessNull(
      'action_id',
      nested<NonNullable<AnswerState['given']>>({
        actionId: 'a.action_id',
        text: optional('a.text'),
        at: 'a.answered_at',
        by: optional('a.answered_by'),
        device: optional('d.name as device'),
      }),
    ),
    receipt: unlessNull(
      'receipt_status',
      nested<ReceiptState>({
        status: 'r.status as receipt_status',
        expiresAt: 'r.expires_at',
        repeatsSent: 'r.repeats_sent',
        finishedAt: optional('r.finished_at'),
        acknowledgedBy: optional('r.acknowledged_by'),
        acknowledgedByDevice: optional('r.acknowledged_by_device'),
      }),
    ),
  },
)

// By the ids of the notifications; of an entry, by the id of the organization's notification. A notification without an
// answer, or of an organization that the person is not in, is left out.
export async function listStates(
  db: Reader,
  userId: UserId,
  ids: readonly NotificationId[],
): Promise<Map<NotificationId, NotificationState>> {
  const isSeen = sql`(a.user_id = ${userId}
    or exists (select 1 from memberships m where m.org_id = a.user_id and m.user_id = ${userId}))`
  const states = await ROWS.all(db, sql`where a.notification_id in (${list(ids)}) and ${isSeen}`)
  return new Map(states.map((state) => [state.id, toState(state)]))
}

function toState({ given, hasReceipt, receipt }: StoredState): NotificationState {
  return { answer: { status: answerStatus(given !== undefined, hasReceipt ? { receipt } : undefined), given }, receipt }
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

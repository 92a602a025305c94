// Answers to notifications. The row is inserted with the notification; the first answer fills it.

import type { Answer } from '../../domain/answers/answer.ts'
import type { UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, nested, optional, rowsOf, unlessNull } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

export const answerTopic = (id: NotificationId) => `answer:${id}`

type Given = NonNullable<Answer['given']>

const ROWS = rowsOf<Answer>('answers', {
  notificationId: 'notification_id',
  userId: 'user_id',
  keyId: 'key_id',
  actions: json('actions'),
  given: unlessNull(
    'action_id',
    nested<Given>({ actionId: 'action_id', text: optional('text'), at: 'answered_at', by: optional('answered_by') }),
  ),
})

// `hasReceipt`: the notification is an alert, which waits for an answer only as long as its receipt is active.
export async function insertAnswer(
  tx: Writer,
  { notificationId, userId, keyId, actions }: Answer,
  { hasReceipt }: { hasReceipt: boolean },
  now: Instant,
): Promise<void> {
  tx.queue(sql`insert into answers (notification_id, user_id, key_id, actions, status, has_receipt, created_at)
    values (${notificationId}, ${userId}, ${keyId}, ${JSON.stringify(actions)}, 'pending', ${hasReceipt ? 1 : 0}, ${now})`)
}

export const findAnswer = (db: Reader, userId: UserId, id: NotificationId): Promise<Answer | undefined> =>
  ROWS.first(db, sql`where user_id = ${userId} and notification_id = ${id}`)

// By the ticket in a push, which identifies the notification by itself.
export const findAnswerByTicket = (db: Reader, id: NotificationId): Promise<Answer | undefined> =>
  ROWS.first(db, sql`where notification_id = ${id}`)

// Returns false if there was an answer already: the first one wins.
export async function giveAnswer(
  tx: Writer,
  { userId, notificationId }: Answer,
  given: Given & { device?: string },
): Promise<boolean> {
  const changed = await tx.execute(sql`update answers set status = 'answered', action_id = ${given.actionId},
      text = ${given.text ?? null}, device = ${given.device ?? null}, answered_at = ${given.at},
      answered_by = ${given.by ?? null}
    where user_id = ${userId} and notification_id = ${notificationId} and status = 'pending'`)
  if (changed === 1) tx.signal(answerTopic(notificationId))
  return changed === 1
}

export async function deleteAnswersBefore(tx: Writer, at: Instant, limit: number): Promise<number> {
  return tx.execute(sql`delete from answers where notification_id in
    (select notification_id from answers where created_at < ${at} order by created_at limit ${limit})`)
}

// Answers to notifications. The row is inserted with the notification; the first answer fills it.

import type { Answer } from '../../domain/answers/answer.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import { type Instant, instant } from '../../domain/instant.ts'
import type { NotificationId } from '../../domain/notifications/notification.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

export const answerTopic = (id: NotificationId) => `answer:${id}`

const COLUMNS = fragment('notification_id, user_id, key_id, actions, action_id, text, answered_at, answered_by')

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

export async function findAnswer(db: Reader, userId: UserId, id: NotificationId): Promise<Answer | undefined> {
  const row = await db.first<AnswerRow>(
    sql`select ${COLUMNS} from answers where user_id = ${userId} and notification_id = ${id}`,
  )
  return row && toAnswer(row)
}

// By the ticket in a push, which identifies the notification by itself.
export async function findAnswerByTicket(db: Reader, id: NotificationId): Promise<Answer | undefined> {
  const row = await db.first<AnswerRow>(sql`select ${COLUMNS} from answers where notification_id = ${id}`)
  return row && toAnswer(row)
}

// Returns false if there was an answer already: the first one wins.
export async function giveAnswer(
  tx: Writer,
  { userId, notificationId }: Answer,
  given: NonNullable<Answer['given']> & { device?: string },
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

type AnswerRow = {
  notification_id: NotificationId
  user_id: UserId
  key_id: KeyId | null
  actions: string
  action_id: string | null
  text: string | null
  answered_at: number | null
  answered_by: UserId | null
}

const toAnswer = (row: AnswerRow): Answer => ({
  notificationId: row.notification_id,
  userId: row.user_id,
  keyId: row.key_id,
  actions: JSON.parse(row.actions),
  given:
    row.action_id === null || row.answered_at === null
      ? undefined
      : {
          actionId: row.action_id,
          text: row.text ?? undefined,
          at: instant(row.answered_at),
          by: row.answered_by ?? undefined,
        },
})

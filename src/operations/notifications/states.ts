// Adds to notifications what became of them: the answer, the receipt, and for an organization how far they have spread.

import { isAnswerable } from '../../domain/answers/answer.ts'
import { CLOSED_QUESTION, type NotificationState } from '../../domain/answers/state.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Notification, NotificationId } from '../../domain/notifications/notification.ts'
import type { ShownOrgSend } from '../../domain/organizations/send.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listStates } from '../../store/notifications/states.ts'
import { findProgress, findSend } from '../../store/organizations/sends.ts'
import type { ShownNotification } from '../../views/notifications.ts'
import { orgCallerOf } from '../targets.ts'

// One statement for the states of all of them, and none if nobody can answer any of them.
export async function withStates(
  db: Reader,
  caller: Caller,
  notifications: Notification[],
): Promise<ShownNotification[]> {
  const questions = notifications.filter((one) => isAnswerable(one) && isStateVisible(caller, one))
  const states = questions.length > 0 ? await listStates(db, caller.userId, questions.map(headIdOf)) : undefined
  const stateOf = (one: Notification): NotificationState | undefined =>
    questions.includes(one) ? (states?.get(headIdOf(one)) ?? CLOSED_QUESTION) : undefined
  const shown: ShownNotification[] = []
  for (const notification of notifications) {
    const orgSend = orgCallerOf(caller) ? await findShownSend(db, notification.id) : undefined
    shown.push({ notification, orgSend, state: stateOf(notification) })
  }
  return shown
}

// A notification of an organization, as its callers read it: with the target and how far it has spread.
export async function findShownSend(db: Reader, headId: NotificationId): Promise<ShownOrgSend | undefined> {
  const send = await findSend(db, headId)
  return send && { ...send, ...(await findProgress(db, headId)) }
}

// A key reads the answers and receipts of the notifications it sent.
const isStateVisible = (caller: Caller, { keyId }: Notification): boolean =>
  caller.kind !== 'key' || keyId === caller.keyId

// The answer to an entry is that of the organization's notification.
const headIdOf = ({ id, org }: Notification): NotificationId => org?.notificationId ?? id

// Cancellation of a held call by a second request, which may reach another node than the one that holds the call.
import { hash } from 'node:crypto'
import type { Caller } from '../domain/caller.ts'
import type { Context } from './context.ts'

// `session` and `requestId` are chosen by clients; together with the token they name one call.
export type CallName = { session: string; requestId: string | number }

export async function cancelCall({ db }: Context, caller: Caller, call: CallName): Promise<void> {
  await db.transact(async (tx) => tx.signal(topicOf(caller, call)))
}

// Returns the function that ends the subscription.
export const onCancel = ({ db }: Context, caller: Caller, call: CallName, listener: () => void): (() => void) =>
  db.signals.subscribe(topicOf(caller, call), listener)

// Hashed, because PostgreSQL limits the length of a signal.
const topicOf = ({ tokenHash }: Caller, { session, requestId }: CallName): string =>
  `cancel:${hash('sha256', JSON.stringify([tokenHash, session, requestId]))}`

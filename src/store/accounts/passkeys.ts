// The passkeys of accounts.
import type { Passkey } from '../../domain/accounts/passkey.ts'
import type { Instant } from '../../domain/instant.ts'
import { collection, OLDEST_FIRST } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { flag, json, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<Passkey>('passkeys', {
  id: 'id',
  userId: 'user_id',
  name: 'name',
  credentialId: 'credential_id',
  publicKey: 'public_key',
  counter: 'counter',
  isSynced: flag('is_synced'),
  transports: json('transports'),
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
})

export const {
  list: listPasskeys,
  count: countPasskeys,
  remove: deletePasskey,
} = collection(ROWS, { name: 'id', order: OLDEST_FIRST })

// Not limited to an account: the credential tells which account signs in.
export const findPasskey = (db: Reader, credentialId: string): Promise<Passkey | undefined> =>
  ROWS.first(db, sql`where credential_id = ${credentialId}`)

// Returns false if the credential is registered already.
export async function insertPasskey(tx: Writer, passkey: Passkey): Promise<boolean> {
  const inserted = await tx.execute(sql`insert into passkeys
      (id, user_id, name, credential_id, public_key, counter, is_synced, transports, created_at)
    values (${passkey.id}, ${passkey.userId}, ${passkey.name}, ${passkey.credentialId}, ${passkey.publicKey},
      ${passkey.counter}, ${passkey.isSynced ? 1 : 0}, ${JSON.stringify(passkey.transports)}, ${passkey.createdAt})
    on conflict (credential_id) do nothing`)
  return inserted === 1
}

// Returns false if the passkey is gone, or the counter did not advance: then two authenticators hold the same credential.
export async function updatePasskeyUse(
  tx: Writer,
  { id, userId }: Pick<Passkey, 'id' | 'userId'>,
  { counter, isSynced }: Pick<Passkey, 'counter' | 'isSynced'>,
  now: Instant,
): Promise<boolean> {
  const updated = await tx.execute(sql`update passkeys
    set counter = ${counter}, is_synced = ${isSynced ? 1 : 0}, last_used_at = ${now}
    where user_id = ${userId} and id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`)
  return updated === 1
}

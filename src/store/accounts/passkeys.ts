// The passkeys of accounts.
import type { Passkey, PasskeyId } from '../../domain/accounts/passkey.ts'
import type { UserId } from '../../domain/caller.ts'
import { type Instant, instant, instantOrNull } from '../../domain/instant.ts'
import { collection, OLDEST_FIRST } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

const COLUMNS = fragment(
  'id, user_id, name, credential_id, public_key, counter, is_synced, transports, created_at, last_used_at',
)

export const {
  list: listPasskeys,
  count: countPasskeys,
  remove: deletePasskey,
} = collection({ table: 'passkeys', columns: COLUMNS, name: 'id', order: OLDEST_FIRST }, toPasskey)

// Not limited to an account: the credential tells which account signs in.
export async function findPasskey(db: Reader, credentialId: string): Promise<Passkey | undefined> {
  const row = await db.first<PasskeyRow>(sql`select ${COLUMNS} from passkeys where credential_id = ${credentialId}`)
  return row && toPasskey(row)
}

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

type PasskeyRow = {
  id: PasskeyId
  user_id: UserId
  name: string
  credential_id: string
  public_key: string
  counter: number
  is_synced: number
  transports: string
  created_at: number
  last_used_at: number | null
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    isSynced: row.is_synced === 1,
    transports: JSON.parse(row.transports) as string[],
    createdAt: instant(row.created_at),
    lastUsedAt: instantOrNull(row.last_used_at),
  }
}

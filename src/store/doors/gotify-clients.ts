// Clients of Gotify: the tokens that its apps got when they logged in, by number. The secret is a row of `tokens`; the client
// goes with it.
import type { UserId } from '../../domain/caller.ts'
import type { DeviceId } from '../../domain/devices.ts'
import type { GotifyClient } from '../../domain/doors/gotify/client.ts'
import { instant } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import { revocationTopic } from '../accounts/tokens.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

export type StoredClient = GotifyClient & { tokenHash: TokenHash }

const COLUMNS = fragment('number, user_id, device_id, token_hash, name, created_at')

export async function insertClient(tx: Writer, client: Omit<StoredClient, 'number'>): Promise<number> {
  const { userId, deviceId, tokenHash, name, createdAt } = client
  const row = await tx.first<{ number: number }>(sql`insert into gotify_clients (user_id, device_id, token_hash, name,
      created_at)
    values (${userId}, ${deviceId}, ${tokenHash}, ${name}, ${createdAt}) returning number`)
  if (!row) throw new Error('the client just inserted has no number')
  return row.number
}

// Oldest first.
export async function listClients(db: Reader, userId: UserId, deviceId: DeviceId): Promise<StoredClient[]> {
  const rows = await db.all<ClientRow>(sql`select ${COLUMNS} from gotify_clients
    where user_id = ${userId} and device_id = ${deviceId} order by number`)
  return rows.map(toClient)
}

export async function renameClient(tx: Writer, { userId, number }: GotifyClient, name: string): Promise<void> {
  tx.queue(sql`update gotify_clients set name = ${name} where user_id = ${userId} and number = ${number}`)
}

// Ends the open streams of the client too.
export async function deleteClient(tx: Writer, { userId, tokenHash }: StoredClient): Promise<void> {
  tx.queue(sql`delete from tokens where user_id = ${userId} and hash = ${tokenHash}`)
  tx.signal(revocationTopic(userId))
}

type ClientRow = {
  number: number
  user_id: UserId
  device_id: DeviceId
  token_hash: TokenHash
  name: string
  created_at: number
}

const toClient = (row: ClientRow): StoredClient => ({
  number: row.number,
  userId: row.user_id,
  deviceId: row.device_id,
  tokenHash: row.token_hash,
  name: row.name,
  createdAt: instant(row.created_at),
})

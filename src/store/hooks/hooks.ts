// Hooks, by id for who manages keys and by the hash of the token in their address for requests to them.
import type { UserId } from '../../domain/caller.ts'
import type { Hook, HookId } from '../../domain/hooks/hook.ts'
import type { TokenHash } from '../../domain/token.ts'
import { collection, NEWEST_FIRST } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { json, type Row, rowsOf } from '../engine/rows.ts'
import { sql } from '../engine/sql.ts'

const ROWS = rowsOf<Hook>('hooks h', {
  id: 'h.id',
  userId: 'h.user_id',
  keyId: 'h.key_id',
  name: 'h.name',
  kind: 'h.kind',
  secret: 'h.secret',
  template: json('h.template'),
  options: json('h.options'),
  stormLimit: 'h.storm_limit',
  createdAt: 'h.created_at',
  lastReceivedAt: 'h.last_received_at',
})

export async function insertHook(tx: Writer, hook: Hook, hash: TokenHash): Promise<void> {
  tx.queue(sql`insert into hooks (id, user_id, key_id, name, kind, hash, secret, template, options, storm_limit, requests,
      created_at)
    values (${hook.id}, ${hook.userId}, ${hook.keyId}, ${hook.name}, ${hook.kind}, ${hash}, ${hook.secret},
      ${templateText(hook)}, ${JSON.stringify(hook.options)}, ${hook.stormLimit}, 0, ${hook.createdAt})`)
}

export const {
  find: findHook,
  findForUpdate: findHookForUpdate,
  list: listHooks,
  count: countHooks,
} = collection(ROWS, { name: 'h.id', account: 'h.user_id', order: NEWEST_FIRST })

// The hook that has this address, and the hash of the secret of its key.
export async function findHookByAddress(
  db: Reader,
  hash: TokenHash,
): Promise<{ hook: Hook; keyHash: TokenHash } | undefined> {
  const row = await db.first<Row & { key_hash: TokenHash }>(sql`select ${ROWS.columns}, k.hash as key_hash
    from hooks h join integration_keys k on k.id = h.key_id where h.hash = ${hash}`)
  return row && { hook: ROWS.make(row), keyHash: row.key_hash }
}

export async function updateHook(tx: Writer, hook: Hook): Promise<void> {
  tx.queue(sql`update hooks set key_id = ${hook.keyId}, name = ${hook.name}, kind = ${hook.kind},
      secret = ${hook.secret}, template = ${templateText(hook)}, options = ${JSON.stringify(hook.options)},
      storm_limit = ${hook.stormLimit}
    where user_id = ${hook.userId} and id = ${hook.id}`)
}

export async function updateHookAddress(tx: Writer, userId: UserId, id: HookId, hash: TokenHash): Promise<void> {
  tx.queue(sql`update hooks set hash = ${hash} where user_id = ${userId} and id = ${id}`)
}

export async function deleteHook(tx: Writer, userId: UserId, id: HookId): Promise<void> {
  tx.queue(sql`delete from storms where user_id = ${userId} and shield_id = ${id}`)
  tx.queue(sql`delete from hooks where user_id = ${userId} and id = ${id}`)
}

const templateText = ({ template }: Hook): string | null => template && JSON.stringify(template)

// Hooks, by id for who manages keys and by the hash of the token in their address for requests to them.
import type { HookKind } from '../../contract/hooks.ts'
import type { KeyId, UserId } from '../../domain/caller.ts'
import type { Hook, HookId } from '../../domain/hooks/hook.ts'
import { instant, instantOrNull } from '../../domain/instant.ts'
import type { TokenHash } from '../../domain/token.ts'
import { collection, NEWEST_FIRST } from '../collection.ts'
import type { Reader, Writer } from '../engine/database.ts'
import { fragment, sql } from '../engine/sql.ts'

const COLUMNS =
  fragment(`h.id, h.user_id, h.key_id, h.name, h.kind, h.secret, h.template, h.options, h.storm_limit, h.created_at,
  h.last_received_at`)

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
} = collection({ table: 'hooks h', columns: COLUMNS, name: 'h.id', account: 'h.user_id', order: NEWEST_FIRST }, toHook)

// The hook that has this address, and the hash of the secret of its key.
export async function findHookByAddress(
  db: Reader,
  hash: TokenHash,
): Promise<{ hook: Hook; keyHash: TokenHash } | undefined> {
  const row = await db.first<HookRow & { key_hash: TokenHash }>(sql`select ${COLUMNS}, k.hash as key_hash
    from hooks h join integration_keys k on k.id = h.key_id where h.hash = ${hash}`)
  return row && { hook: toHook(row), keyHash: row.key_hash }
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

type HookRow = {
  id: HookId
  user_id: UserId
  key_id: KeyId
  name: string
  kind: HookKind
  secret: string | null
  template: string | null
  options: string
  storm_limit: number | null
  created_at: number
  last_received_at: number | null
}

function toHook(row: HookRow): Hook {
  return {
    id: row.id,
    userId: row.user_id,
    keyId: row.key_id,
    name: row.name,
    kind: row.kind,
    secret: row.secret,
    template: row.template === null ? null : JSON.parse(row.template),
    options: JSON.parse(row.options),
    stormLimit: row.storm_limit,
    createdAt: instant(row.created_at),
    lastReceivedAt: instantOrNull(row.last_received_at),
  }
}

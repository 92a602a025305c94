// Creates and removes aliases of integration keys. A caller that may manage the key may manage its aliases.
import type { AliasDoor } from '../../contract/keys/doors.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller } from '../../domain/caller.ts'
import type { KeyAlias } from '../../domain/keys.ts'
import { requireKeyManager } from '../../domain/permissions.ts'
import { hashToken } from '../../domain/token.ts'
import { newAliasToken, newUuid } from '../../runtime/ids.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { deleteAlias, insertAlias, listAliases } from '../../store/keys.ts'
import type { Context } from '../context.ts'
import { requireKey } from './keys.ts'

// The token is never shown again.
export type AliasAndToken = { alias: KeyAlias; token: string }

export async function createAlias(
  ctx: Context,
  caller: Caller,
  keyId: string,
  door: AliasDoor,
): Promise<AliasAndToken> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  const token = newAliasToken(door)
  const { userId } = caller
  return ctx.db.transact(async (tx) => {
    // Locks the key, so the number of its aliases cannot change.
    const key = await requireKey(tx, caller, keyId)
    if ((await listAliases(tx, userId, key.id)).length >= LIMITS.key.maxAliases) {
      throw new Problem(
        'integration_key.alias_limit_exceeded',
        `A key has at most ${LIMITS.key.maxAliases} aliases; delete one first.`,
      )
    }
    const alias: KeyAlias = { id: newUuid(), userId, keyId: key.id, door, createdAt: now }
    await insertAlias(tx, alias, hashToken(token))
    await appendEvent(tx, userId, { type: 'key.updated', at: now, data: { id: key.id } })
    return { alias, token }
  })
}

export async function allAliases(ctx: Context, caller: Caller, keyId: string): Promise<KeyAlias[]> {
  requireKeyManager(caller)
  return ctx.db.transact(async (tx) => {
    const key = await requireKey(tx, caller, keyId)
    return listAliases(tx, caller.userId, key.id)
  })
}

export async function removeAlias(ctx: Context, caller: Caller, keyId: string, aliasId: string): Promise<void> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  const { userId } = caller
  await ctx.db.transact(async (tx) => {
    const key = await requireKey(tx, caller, keyId)
    if (!(await deleteAlias(tx, userId, key.id, aliasId))) {
      throw new Problem('integration_key.alias_not_found', `The key has no alias ${aliasId}.`)
    }
    await appendEvent(tx, userId, { type: 'key.updated', at: now, data: { id: key.id } })
  })
}

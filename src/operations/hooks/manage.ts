// Creates, changes and removes hooks. Whoever may manage keys may manage hooks.
import type { HookInput, HookPatch } from '../../contract/hooks.ts'
import { Problem } from '../../contract/problems.ts'
import { inOneSentence } from '../../contract/validation.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import type { Caller, KeyId, UserId } from '../../domain/caller.ts'
import { changedSettings, type Hook, type HookId, type HookTemplate, newSettings } from '../../domain/hooks/hook.ts'
import { isKeyId } from '../../domain/keys.ts'
import { requireKeyManager } from '../../domain/permissions.ts'
import { hashToken } from '../../domain/token.ts'
import { newUuid, randomText } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import {
  countHooks,
  deleteHook,
  findHook,
  findHookForUpdate,
  insertHook,
  listHooks,
  updateHook,
  updateHookAddress,
} from '../../store/hooks/hooks.ts'
import { findDefaultKey, findKeyForUpdate } from '../../store/keys.ts'
import type { Context } from '../context.ts'
import { requireEscalation } from '../receipts/escalation.ts'

// The token at the end of the address, which is never shown again.
export type HookAndToken = { hook: Hook; token: string }

const newHookToken = () => randomText(32)

export async function createHook(ctx: Context, caller: Caller, input: HookInput): Promise<HookAndToken> {
  requireKeyManager(caller)
  const settings = newSettings(input)
  if (settings.template) await requireTemplate(ctx, caller, settings.template)
  const now = ctx.clock.now()
  const token = newHookToken()
  const { userId } = caller
  return ctx.db.transact(async (tx) => {
    // The lock keeps the number of hooks.
    await lockUser(tx, userId)
    requireRoom(await countHooks(tx, userId), caller.plan.caps.hooks, 'hook.limit_exceeded', 'hooks')
    const keyId = await requireKeyOf(tx, userId, input.key_id)
    await requireEscalationOf(tx, { userId, keyId }, settings)
    const hook: Hook = { ...settings, id: newUuid() as HookId, userId, keyId, createdAt: now, lastReceivedAt: null }
    await insertHook(tx, hook, hashToken(token))
    await appendEvent(tx, userId, { type: 'hook.created', at: now, data: { id: hook.id } })
    return { hook, token }
  })
}

export async function allHooks(ctx: Context, caller: Caller): Promise<Hook[]> {
  requireKeyManager(caller)
  return listHooks(ctx.db.read, caller.userId)
}

export async function readHook(ctx: Context, caller: Caller, id: string): Promise<Hook> {
  requireKeyManager(caller)
  return requireHook(ctx.db.read, caller.userId, id)
}

export async function requireHook(db: Reader, userId: UserId, id: string): Promise<Hook> {
  return (await findHook(db, userId, id)) ?? refuseUnknown(id)
}

export async function changeHook(ctx: Context, caller: Caller, id: string, patch: HookPatch): Promise<Hook> {
  requireKeyManager(caller)
  if (patch.template) await requireTemplate(ctx, caller, patch.template)
  const now = ctx.clock.now()
  const { userId } = caller
  return ctx.db.transact(async (tx) => {
    // Lock order: the key, then the hook.
    const keyId = patch.key_id === undefined ? undefined : await requireKeyOf(tx, userId, patch.key_id)
    const current = (await findHookForUpdate(tx, userId, id)) ?? refuseUnknown(id)
    const changed = { ...current, ...changedSettings(current, patch), keyId: keyId ?? current.keyId }
    if (patch.options || patch.key_id !== undefined) await requireEscalationOf(tx, changed, changed)
    await updateHook(tx, changed)
    await appendEvent(tx, userId, { type: 'hook.updated', at: now, data: { id: changed.id } })
    return changed
  })
}

// The old address stops working at once.
export async function rollHook(ctx: Context, caller: Caller, id: string): Promise<HookAndToken> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  const token = newHookToken()
  return ctx.db.transact(async (tx) => {
    const hook = (await findHookForUpdate(tx, caller.userId, id)) ?? refuseUnknown(id)
    await updateHookAddress(tx, caller.userId, hook.id, hashToken(token))
    await appendEvent(tx, caller.userId, { type: 'hook.updated', at: now, data: { id: hook.id } })
    return { hook, token }
  })
}

export async function removeHook(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const hook = (await findHookForUpdate(tx, caller.userId, id)) ?? refuseUnknown(id)
    await deleteHook(tx, caller.userId, hook.id)
    await appendEvent(tx, caller.userId, { type: 'hook.deleted', at: now, data: { id: hook.id } })
  })
}

// Locks the key, so that it stays until the hook is stored.
async function requireKeyOf(tx: Writer, userId: UserId, id: string | undefined): Promise<KeyId> {
  const wanted = id ?? (await findDefaultKey(tx, userId))?.id
  if (wanted === undefined) {
    throw new Problem('integration_key.not_found', 'The account has no default key; name another one as key_id.')
  }
  const key = isKeyId(wanted) ? await findKeyForUpdate(tx, userId, wanted) : undefined
  if (!key) throw new Problem('integration_key.not_found', `There is no integration key ${wanted}.`)
  return key.id
}

// The hook sends with its key, so the policy must be within the limit of that key.
async function requireEscalationOf(
  db: Reader,
  sender: Pick<Hook, 'userId' | 'keyId'>,
  { options }: Pick<Hook, 'options'>,
): Promise<void> {
  if (options.escalation !== undefined) await requireEscalation(db, sender, options.escalation)
}

export async function requireTemplate(ctx: Context, { userId }: Caller, template: HookTemplate): Promise<void> {
  const messages = Object.entries(await ctx.templates.check(userId, template))
  if (messages.length === 0) return
  const errors = messages.map(([name, message]) => ({ location: `body.template.${name}`, message }))
  throw new Problem('hook.template_invalid', inOneSentence(errors), { errors })
}

function refuseUnknown(id: string): never {
  throw new Problem('hook.not_found', `There is no hook ${id}.`)
}

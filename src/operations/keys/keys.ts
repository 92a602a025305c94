// Creates, changes, rolls and removes integration keys.
import type { KeyInput, KeyPatch } from '../../contract/keys/keys.ts'
import { Problem } from '../../contract/problems.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import type { Caller, KeyId, UserId } from '../../domain/caller.ts'
import type { OrgId, TargetIds } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import {
  changedGrant,
  DEFAULT_KEY_GRANT,
  DEFAULT_KEY_NAME,
  type Grant,
  type IntegrationKey,
  isKeyId,
  newGrant,
  requireGrantFor,
} from '../../domain/keys.ts'
import { requireKnownIds } from '../../domain/organizations/key-target.ts'
import { requireGrantable, requireKeyManager } from '../../domain/permissions.ts'
import { hashToken, type Token } from '../../domain/token.ts'
import { newToken, newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import {
  countKeys,
  deleteAliasesOf,
  deleteKey,
  findDefaultKey,
  findKeyForUpdate,
  insertKey,
  listKeys,
  updateKey,
  updateKeySecret,
} from '../../store/keys.ts'
import { listNonMembers } from '../../store/organizations/group-members.ts'
import { listGroups } from '../../store/organizations/groups.ts'
import { listTags } from '../../store/organizations/tags.ts'
import { listActiveReceipts } from '../../store/receipts.ts'
import type { Context } from '../context.ts'
import { endReceipts } from '../receipts/end.ts'
import { failSchedulesOf } from '../schedules/cancel.ts'

// A key with its secret, which is never shown again.
export type KeyAndSecret = { key: IntegrationKey; secret: Token }

export async function ensureDefaultKey(ctx: Context, caller: Caller): Promise<{ key: IntegrationKey; secret?: Token }> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, caller.userId)
    const existing = await findDefaultKey(tx, caller.userId)
    if (existing) return { key: existing }
    await requireRoomForKey(tx, caller)
    return createDefaultKey(tx, caller.userId, now)
  })
}

export function createDefaultKey(tx: Writer, userId: UserId, now: Instant): Promise<KeyAndSecret> {
  return issueKey(tx, { userId, name: DEFAULT_KEY_NAME, isDefault: true, grant: DEFAULT_KEY_GRANT, now })
}

export async function createKey(ctx: Context, caller: Caller, input: KeyInput): Promise<KeyAndSecret> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  const grant = newGrant(input, now)
  requireGrantFor(caller.accountKind, grant)
  requireGrantable(caller, grant.permissions)
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, caller.userId)
    if (grant.target) await requireKnownTarget(tx, caller.userId as OrgId, grant.target)
    await requireRoomForKey(tx, caller)
    return issueKey(tx, { userId: caller.userId, name: input.name, isDefault: false, grant, now })
  })
}

export async function allKeys(ctx: Context, caller: Caller): Promise<IntegrationKey[]> {
  requireKeyManager(caller)
  // A page may wait for the first use of a key.
  await ctx.lastUsed.flush()
  return listKeys(ctx.db.read, caller.userId)
}

export async function changeKey(ctx: Context, caller: Caller, id: string, patch: KeyPatch): Promise<IntegrationKey> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    // The groups and tags of a new target stay until the key is stored.
    if (patch.target) await lockUser(tx, caller.userId)
    const current = await requireKey(tx, caller, id)
    if (current.isDefault) {
      throw new Problem(
        'integration_key.default_locked',
        'The default key cannot be changed; create another key instead.',
      )
    }
    const changed = { ...current, ...changedGrant(current, patch, now), name: patch.name ?? current.name }
    requireGrantFor(caller.accountKind, changed)
    requireGrantable(caller, changed.permissions)
    if (patch.target && changed.target) await requireKnownTarget(tx, caller.userId as OrgId, changed.target)
    await updateKey(tx, changed)
    await appendEvent(tx, caller.userId, { type: 'key.updated', at: now, data: { id: changed.id } })
    return changed
  })
}

export async function rollKey(ctx: Context, caller: Caller, id: string): Promise<KeyAndSecret> {
  requireKeyManager(caller)
  const secret = newToken('hlk')
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const key = await requireKey(tx, caller, id)
    await updateKeySecret(tx, caller.userId, key.id, hashToken(secret))
    await deleteAliasesOf(tx, caller.userId, key.id)
    await appendEvent(tx, caller.userId, { type: 'key.updated', at: now, data: { id: key.id } })
    return { key, secret }
  })
}

export async function removeKey(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireKeyManager(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    // The lock prevents new schedules and receipts of this key until it is deleted.
    await lockUser(tx, caller.userId)
    const key = await requireKey(tx, caller, id)
    await failSchedulesOf(tx, caller.userId, key.id, now)
    await deleteKey(tx, caller.userId, key.id)
    const receipts = (await listActiveReceipts(tx, caller.userId)).filter(({ keyId }) => keyId === key.id)
    await endReceipts(tx, receipts, { status: 'canceled', reason: 'key_revoked' }, now)
    await appendEvent(tx, caller.userId, { type: 'key.deleted', at: now, data: { id: key.id } })
  })
}

export async function requireKey(tx: Writer, caller: Caller, id: string): Promise<IntegrationKey> {
  const key = isKeyId(id) ? await findKeyForUpdate(tx, caller.userId, id) : undefined
  if (!key) throw new Problem('integration_key.not_found', `There is no integration key ${id}.`)
  if (key.isDefault && caller.kind === 'key') {
    throw new Problem(
      'integration_key.default_target',
      'The default key may not act on itself; use a full-access token (hla_…).',
    )
  }
  return key
}

// The caller of this function holds the lock on the account, so the count cannot change.
async function requireRoomForKey(tx: Writer, { userId, plan }: Caller): Promise<void> {
  const count = await countKeys(tx, userId)
  requireRoom(count, plan.caps.keys, 'integration_key.limit_exceeded', 'integration keys')
}

type KeyToIssue = { userId: UserId; name: string; isDefault: boolean; grant: Grant; now: Instant }

// The caller of this function holds the lock on the account and has found room.
export async function issueKey(tx: Writer, { userId, name, isDefault, grant, now }: KeyToIssue): Promise<KeyAndSecret> {
  const key: IntegrationKey = {
    id: newUuid() as KeyId,
    userId,
    name,
    isDefault,
    ...grant,
    lastUsedAt: null,
    createdAt: now,
  }
  const secret = newToken('hlk')
  await insertKey(tx, key, hashToken(secret))
  await appendEvent(tx, userId, { type: 'key.created', at: now, data: { id: key.id } })
  return { key, secret }
}

// Checks that the groups, tags and members of a key's limit exist.
export async function requireKnownTarget(db: Reader, orgId: OrgId, target: TargetIds): Promise<void> {
  const memberIds = target.memberIds ?? []
  const nonMembers = await listNonMembers(db, orgId, memberIds)
  requireKnownIds(target, {
    groupIds: new Set((await listGroups(db, orgId)).map(({ id }) => id)),
    tagIds: new Set((await listTags(db, orgId)).map(({ id }) => id)),
    memberIds: new Set(memberIds.filter((id) => !nonMembers.has(id))),
  })
}

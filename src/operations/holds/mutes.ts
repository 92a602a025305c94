// Mutes: sets, lists and ends them.

import type { MuteInput } from '../../contract/holds.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { Caller, KeyId } from '../../domain/caller.ts'
import { type Mute, type MuteId, readMute } from '../../domain/holds/hold.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import { updateHoldsPushes } from '../../store/holds/hold-rules.ts'
import { findKey } from '../../store/keys.ts'
import {
  countOtherMutes,
  deleteEndedMutesOf,
  deleteMute,
  listMutes,
  listWithEndedMutes,
  saveMute,
} from '../../store/notifications/mutes.ts'
import type { Context } from '../context.ts'

export async function readMutes(ctx: Context, caller: Caller): Promise<Mute[]> {
  requireUser(caller)
  const now = ctx.clock.now()
  return (await listMutes(ctx.db.read, caller.userId)).filter(({ until }) => until > now)
}

// Mutes the target, or changes until when it is muted.
export async function mute(ctx: Context, caller: Caller, input: MuteInput): Promise<{ mute: Mute; isNew: boolean }> {
  requireUser(caller)
  const now = ctx.clock.now()
  const { userId } = caller
  const wanted: Mute = { ...readMute(input, now), id: newUuid() as MuteId, createdAt: now }
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    if (wanted.kind === 'key_id' && !(await findKey(tx, userId, wanted.value as KeyId))) {
      throw new Problem('integration_key.not_found', 'There is no such key.')
    }
    await deleteEndedMutesOf(tx, userId, now)
    if ((await countOtherMutes(tx, userId, wanted)) >= LIMITS.mute.maxPerAccount) {
      throw new Problem('mute.limit_exceeded', `An account has at most ${LIMITS.mute.maxPerAccount} mutes; end one.`)
    }
    const saved = await saveMute(tx, userId, wanted)
    await updateHoldsPushes(tx, userId)
    await appendEvent(tx, userId, { type: 'mute.updated', at: now, data: { id: saved.id } })
    return { mute: saved, isNew: saved.id === wanted.id }
  })
}

// Deletes the ended mutes of up to `limit` accounts. Returns the number of accounts.
export async function deleteEndedMutes(tx: Writer, now: Instant, limit: number): Promise<number> {
  const accounts = await listWithEndedMutes(tx, now, limit)
  for (const userId of accounts) {
    await lockUser(tx, userId)
    await deleteEndedMutesOf(tx, userId, now)
    await updateHoldsPushes(tx, userId)
  }
  return accounts.length
}

export async function unmute(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, caller.userId)
    if (!(await deleteMute(tx, caller.userId, id))) throw new Problem('mute.not_found', 'There is no such mute.')
    await updateHoldsPushes(tx, caller.userId)
    await appendEvent(tx, caller.userId, { type: 'mute.deleted', at: now, data: { id } })
  })
}

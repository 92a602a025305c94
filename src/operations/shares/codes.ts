// Share codes: an owner creates, lists and deletes them.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { PatternCodeInput, ShareCodeInput } from '../../contract/shares.ts'
import type { Caller, UserCaller } from '../../domain/caller.ts'
import { isUuid } from '../../domain/ids.ts'
import { requireUser } from '../../domain/permissions.ts'
import { shareLimit } from '../../domain/shares/join.ts'
import { prefixOf, type SharedSubject } from '../../domain/shares/share.ts'
import { newShareCode, type ShareCode, type ShareCodeId } from '../../domain/shares/share-code.ts'
import { newJoinCode, newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { countOpenCodes, deleteShareCode, insertShareCode, listOpenCodes } from '../../store/shares/codes.ts'
import { activityNotFound, findOwnForUpdate } from '../activities/seen.ts'
import type { Context } from '../context.ts'

// `name`: the slug or the id of an own activity.
export async function createActivityCode(
  ctx: Context,
  caller: Caller,
  name: string,
  input: ShareCodeInput,
): Promise<ShareCode> {
  requireUser(caller)
  return createCode(ctx, caller, input, async (tx) => {
    // Locked, so that the activity cannot be deleted before the code is inserted.
    const activity = await findOwnForUpdate(tx, caller, name)
    if (!activity) throw activityNotFound(name)
    return { kind: 'activity', activityId: activity.id, slug: activity.slug }
  })
}

export async function createPatternCode(
  ctx: Context,
  caller: Caller,
  { slug_pattern: pattern, ...input }: PatternCodeInput,
): Promise<ShareCode> {
  requireUser(caller)
  return createCode(ctx, caller, input, async () => ({ kind: 'pattern', slugPrefix: prefixOf(pattern) }))
}

async function createCode(
  ctx: Context,
  caller: UserCaller,
  input: ShareCodeInput,
  findSubject: (tx: Writer) => Promise<SharedSubject>,
): Promise<ShareCode> {
  const { userId } = caller
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const subject = await findSubject(tx)
    requirePaidOwner(caller)
    const { maxOpenCodes } = LIMITS.share
    if ((await countOpenCodes(tx, userId, now)) >= maxOpenCodes) {
      throw shareLimit('codes', maxOpenCodes, `An account has at most ${maxOpenCodes} open codes; delete one first.`)
    }
    const made = { id: newUuid() as ShareCodeId, userId, code: newJoinCode(), subject }
    const code = newShareCode(made, input, now)
    await insertShareCode(tx, code)
    return code
  })
}

function requirePaidOwner({ plan }: UserCaller): void {
  if (plan === 'paid') return
  throw new Problem('subscription.required', 'Sharing needs the paid plan; joining what others share does not.')
}

export async function openCodes(ctx: Context, caller: Caller): Promise<ShareCode[]> {
  requireUser(caller)
  return listOpenCodes(ctx.db.read, caller.userId, ctx.clock.now())
}

// Accounts that have joined by the code keep their share.
export async function removeCode(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const isDeleted = isUuid(id) && (await ctx.db.transact((tx) => deleteShareCode(tx, caller.userId, id as ShareCodeId)))
  if (!isDeleted) throw new Problem('share.not_found', 'You have no share code with this id.')
}

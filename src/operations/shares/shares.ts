// Shares as both sides see them: list, change of role, and their end.

import { Problem } from '../../contract/problems.ts'
import { SHARE_ROLES, type ShareRole } from '../../contract/shares.ts'
import type { Caller, UserId } from '../../domain/caller.ts'
import { isUuid } from '../../domain/ids.ts'
import { requireUser } from '../../domain/permissions.ts'
import { requireEditorPlan } from '../../domain/shares/join.ts'
import { isAtLeast, type Share, type ShareId, shareNews } from '../../domain/shares/share.ts'
import { findUser } from '../../store/accounts/accounts.ts'
import type { Reader } from '../../store/engine/database.ts'
import { appendToFeeds } from '../../store/events/feeds.ts'
import { barFromCodes } from '../../store/join-codes.ts'
import { findShare, listShares, updateRole } from '../../store/shares/shares.ts'
import type { Context } from '../context.ts'
import { endShare } from './end.ts'

// With a slug: the shares that give others the own activity of this slug.
export async function allShares(ctx: Context, caller: Caller, slug?: string): Promise<Share[]> {
  requireUser(caller)
  const shares = await listShares(ctx.db.read, caller.userId)
  if (slug === undefined) return shares
  return shares.filter(({ userId, subject }) => {
    if (userId !== caller.userId) return false
    return subject.kind === 'activity' ? subject.slug === slug : slug.startsWith(subject.slugPrefix)
  })
}

export async function changeRole(ctx: Context, caller: Caller, id: string, role: ShareRole): Promise<Share> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const share = await requireShare(tx, caller.userId, id)
    if (share.userId !== caller.userId) {
      throw new Problem('share.owner_required', 'Only the owner changes the role; you can leave the share.')
    }
    if (share.role === role) return share
    const recipient = await findUser(tx, share.recipientId)
    if (recipient && !isAtLeast(share.role, role)) requireEditorPlan(role, ctx.config.plans.named(recipient.plan))
    const changed = { ...share, role }
    if (!(await updateRole(tx, share.id, role))) throw shareNotFound()
    // A code that is open does not give the higher role again.
    if (role === 'viewer') await barFromCodes(tx, share, share.recipientId, { roles: ['editor'], now })
    await appendToFeeds(tx, shareNews(changed, { type: 'share.updated', at: now }))
    return changed
  })
}

// The owner revokes it, or the recipient leaves.
export async function removeShare(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => {
    const share = await requireShare(tx, caller.userId, id)
    const news = await endShare(tx, share, now)
    if (!news) throw shareNotFound()
    // Someone who leaves may come back. Someone whose share has ended needs a new code.
    if (share.userId === caller.userId) {
      await barFromCodes(tx, share, share.recipientId, { roles: SHARE_ROLES, now })
    }
    await appendToFeeds(tx, news)
  })
}

async function requireShare(db: Reader, userId: UserId, id: string): Promise<Share> {
  const share = isUuid(id) ? await findShare(db, userId, id as ShareId) : undefined
  if (!share) throw shareNotFound()
  return share
}

const shareNotFound = () => new Problem('share.not_found', 'You have no part in a share with this id.')

// The wall: reads and changes the order of the widgets, makes links that show it without a session, and revokes them.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { WallInput, WallPlace } from '../../contract/widgets.ts'
import type { Caller } from '../../domain/caller.ts'
import { reachesSlug, requireLevel, requireUser } from '../../domain/permissions.ts'
import { arrangedOn, EMPTY_WALL, type Wall } from '../../domain/widgets/widget.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Reader } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/events/feeds.ts'
import {
  deleteWallLink,
  findWall,
  listWallLinks,
  listWidgetSlugs,
  saveWall,
  type WallLink,
} from '../../store/widgets/walls.ts'
import { issueNamedToken } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'

export type ArrangedWall = { items: WallPlace[]; showsClock: boolean }

// A key with a list of slugs sees only those.
export async function readWall(ctx: Context, caller: Caller): Promise<ArrangedWall> {
  requireLevel(caller, 'widgets', 'read')
  return arranged(ctx.db.read, caller, (await findWall(ctx.db.read, caller.userId)) ?? EMPTY_WALL)
}

export async function arrangeWall(ctx: Context, caller: Caller, input: WallInput): Promise<ArrangedWall> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    await lockUser(tx, caller.userId)
    const before = (await findWall(tx, caller.userId)) ?? EMPTY_WALL
    const wall: Wall = { places: input.items, showsClock: input.shows_clock ?? before.showsClock }
    await saveWall(tx, caller.userId, wall)
    const after = await arranged(tx, caller, wall)
    await appendEvent(tx, caller.userId, { type: 'wall.updated', at: now, data: {} })
    return after
  })
}

async function arranged(db: Reader, caller: Caller, wall: Wall): Promise<ArrangedWall> {
  const items = arrangedOn(wall, await listWidgetSlugs(db, caller.userId))
  return { items: items.filter(({ slug }) => reachesSlug(caller, 'widgets', slug)), showsClock: wall.showsClock }
}

export async function readWallLinks(ctx: Context, caller: Caller): Promise<WallLink[]> {
  requireUser(caller)
  return listWallLinks(ctx.db.read, caller.userId)
}

// The token is in the fragment of the URL, which browsers do not send, so no server or proxy logs it.
export async function createWallLink(
  ctx: Context,
  caller: Caller,
  { name, publicUrl }: { name: string; publicUrl: string },
): Promise<WallLink & { url: string }> {
  requireUser(caller)
  const now = ctx.clock.now()
  const { token, id } = await ctx.db.transact(async (tx) => {
    await lockUser(tx, caller.userId)
    if ((await listWallLinks(tx, caller.userId)).length >= LIMITS.wall.maxLinks) {
      throw new Problem(
        'wall_link.limit_exceeded',
        `An account has at most ${LIMITS.wall.maxLinks} links to its wall; revoke one.`,
      )
    }
    return issueNamedToken(tx, caller.userId, 'hlw', name, now)
  })
  return { id, name, createdAt: now, url: `${publicUrl}/app/wall#link=${token}` }
}

export async function revokeWallLink(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const isRevoked = await ctx.db.transact((tx) => deleteWallLink(tx, caller.userId, id))
  if (!isRevoked) throw new Problem('wall_link.not_found', 'There is no such link.')
}

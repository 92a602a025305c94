// Screen links for their owner: makes, lists, changes and revokes them.
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { ScreenInput, ScreenPatch } from '../../contract/screens/links.ts'
import { requireRoom } from '../../domain/accounts/account.ts'
import type { Caller } from '../../domain/caller.ts'
import { type Instant, plusSeconds } from '../../domain/instant.ts'
import { requireUser } from '../../domain/permissions.ts'
import {
  changedLinkSettings,
  type LinkSecret,
  newLinkSettings,
  type ScreenId,
  type ScreenLink,
} from '../../domain/screens/link.ts'
import { hashToken } from '../../domain/token.ts'
import { newToken, newUuid, randomText } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import {
  countScreenLinks,
  deleteScreenLink,
  findScreenLinkForUpdate,
  insertScreenLink,
  listScreenLinks,
  type StoredSecret,
  updatePairing,
  updateScreenLink,
  updateScreenSecret,
} from '../../store/screens.ts'
import type { Context } from '../context.ts'
import { allWidgets } from '../widgets/widgets.ts'
import { ongoingActivities, viewerOf } from './glances.ts'
import { requirePictures } from './pictures.ts'

export type LinkWithSecret = { link: ScreenLink; secret: LinkSecret }

export async function createScreenLink(ctx: Context, caller: Caller, input: ScreenInput): Promise<LinkWithSecret> {
  requireUser(caller)
  if (!ctx.config.screenLinks)
    throw new Problem('screen.not_enabled', 'Screen links are off; the operator sets HELIOGRAPH_SCREEN_LINKS=on.')
  if (input.kind === 'trmnl') requireDisplays(ctx)
  const { userId } = caller
  const now = ctx.clock.now()
  const settings = newLinkSettings(input, now)
  const unused = { report: null, log: null, pairingAskedAt: null, lastUsedAt: null }
  const link: ScreenLink = { ...settings, ...unused, id: newUuid() as ScreenId, userId, createdAt: now }
  const { secret, stored } = newSecret(link, now)
  await ctx.db.transact(async (tx) => {
    await lockUser(tx, userId)
    const count = await countScreenLinks(tx, userId)
    requireRoom(count, LIMITS.screen.maxLinks, 'screen.limit_exceeded', 'screen links and displays')
    await insertScreenLink(tx, link, stored)
  })
  return { link, secret }
}

export async function allScreenLinks(ctx: Context, caller: Caller): Promise<ScreenLink[]> {
  requireUser(caller)
  // A page may wait for the first use of a link.
  await ctx.lastUsed.flush()
  return listScreenLinks(ctx.db.read, caller.userId)
}

export async function changeScreenLink(
  ctx: Context,
  caller: Caller,
  id: string,
  patch: ScreenPatch,
): Promise<ScreenLink> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const current = await requireLink(tx, caller, id)
    const changed = { ...current, ...changedLinkSettings(current, patch, now) }
    await updateScreenLink(tx, changed)
    return changed
  })
}

export async function rollScreenLink(ctx: Context, caller: Caller, id: string): Promise<LinkWithSecret> {
  requireUser(caller)
  const now = ctx.clock.now()
  return ctx.db.transact(async (tx) => {
    const link = await requireLink(tx, caller, id)
    const { secret, stored } = newSecret(link, now)
    await updateScreenSecret(tx, link, stored)
    return { link, secret }
  })
}

// The display that registered at the address may do so again, for a while.
export async function pairScreenAgain(ctx: Context, caller: Caller, id: string): Promise<ScreenLink> {
  requireUser(caller)
  const until = plusSeconds(ctx.clock.now(), LIMITS.display.pairingSeconds)
  return ctx.db.transact(async (tx) => {
    const link = await requireLink(tx, caller, id)
    if (!link.display) throw linkNotFound()
    await updatePairing(tx, link, until)
    return { ...link, pairingAskedAt: null }
  })
}

const CODE_CHARS = 12

// A display gets its key when it registers; until then its token is one that nobody has.
function newSecret({ display }: ScreenLink, now: Instant): { secret: LinkSecret; stored: StoredSecret } {
  const token = newToken('hls')
  const hash = hashToken(token)
  if (!display) return { secret: { token }, stored: { hash, codeHash: null, registersUntil: null } }
  const code = randomText(CODE_CHARS)
  const registersUntil = plusSeconds(now, LIMITS.display.registrationSeconds)
  return { secret: { code }, stored: { hash, codeHash: hashToken(code), registersUntil } }
}

function requireDisplays(ctx: Context): void {
  requirePictures(ctx)
  if (ctx.config.doors.includes('trmnl')) return
  throw new Problem('screen.not_enabled', 'TRMNL displays are off; the operator adds trmnl to HELIOGRAPH_DOORS.')
}

export async function removeScreenLink(ctx: Context, caller: Caller, id: string): Promise<void> {
  requireUser(caller)
  const isDeleted = await ctx.db.transact((tx) => deleteScreenLink(tx, caller.userId, id))
  if (!isDeleted) throw linkNotFound()
}

// One thing that a link shows: the parameter by which the script for phones names it, and its picture below the address of the
// link, in a family or a size that fits on a phone.
export type LinkThing = { parameter: string; path: string; family?: 'small' | 'card'; size?: string }

// The widgets, the ongoing activities and those that the link names, and the wall.
export async function thingsOfLink(
  ctx: Context,
  caller: Caller,
): Promise<{ things: LinkThing[]; language: 'en' | 'de' }> {
  requirePictures(ctx)
  if (caller.kind !== 'screen-link') throw new Error('Only a link has things that it shows.')
  const { language } = viewerOf(ctx, { lang: caller.defaults.lang ?? undefined })
  const widgets = await allWidgets(ctx, caller)
  const ongoing = await ongoingActivities(ctx, caller)
  const named = caller.activitySlugs.filter((slug) => !slug.endsWith('*'))
  const activities = new Set([...ongoing.map(({ slug }) => slug), ...named])
  const wall: LinkThing = { parameter: 'wall', path: 'wall', size: WALL_SIZE }
  return {
    things: [
      ...widgets.map(({ slug }) => widgetThing(slug)),
      ...[...activities].map(
        (slug): LinkThing => ({
          parameter: `a:${slug}`,
          path: `activities/${slug}`,
          family: 'card',
        }),
      ),
      ...(caller.showsWall ? [wall] : []),
    ],
    language,
  }
}

const WALL_SIZE = '344x206'

const widgetThing = (slug: string): LinkThing => ({
  parameter: slug === 'wall' ? 'w:wall' : slug,
  path: `widgets/${slug}`,
  family: 'small',
})

async function requireLink(tx: Writer, { userId }: Caller, id: string): Promise<ScreenLink> {
  const link = await findScreenLinkForUpdate(tx, userId, id)
  if (!link) throw linkNotFound()
  return link
}

const linkNotFound = () => new Problem('screen.not_found', 'There is no such screen link.')

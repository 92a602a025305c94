// Lists the activities that a caller sees: by slug, own before shared ones, then by id.
import type { ActivityListQuery } from '../../contract/activities.ts'
import { type ActivityId, readState } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Page } from '../../domain/cursor.ts'
import { isSlug, isUuid } from '../../domain/ids.ts'
import { targetedActivity } from '../../domain/organizations/activity-target.ts'
import { isInside, limitOf } from '../../domain/organizations/limit.ts'
import { reachesSlug, requireLevel } from '../../domain/permissions.ts'
import type { SeenActivity, Standing } from '../../domain/shares/standing.ts'
import { type ActivitySize, listActivitiesById, listActivitySizes } from '../../store/activities/activities.ts'
import type { Reader } from '../../store/engine/database.ts'
import { listSharedActivitySizes } from '../../store/shares/shared-activities.ts'
import { listGivenShares } from '../../store/shares/shares.ts'
import type { Context } from '../context.ts'
import { readCursor, readPage } from '../paging.ts'
import { countRecipients } from './seen.ts'

export async function readActivityPage(
  ctx: Context,
  caller: Caller,
  { limit, after: cursor, state }: ActivityListQuery,
): Promise<Page<SeenActivity>> {
  requireLevel(caller, 'activities', 'read')
  const wanted = state === undefined ? undefined : readState(state)
  const after = readCursor(cursor, decodePlace)
  const isListed = (entry: Entry) =>
    (wanted === undefined || entry.state === wanted) && (after === undefined || compare(placeOf(entry), after) > 0)
  return readPage(limit, {
    find: async (count) => ({ entries: (await listSeen(ctx.db.read, caller)).filter(isListed).slice(0, count) }),
    bytesOf: ({ bytes }) => bytes,
    load: (entries) => ctx.slices(caller.userId, () => loadSeen(ctx.db.read, entries)),
    cursorAfter: (entry) => encodePlace(placeOf(entry)),
  })
}

type Entry = ActivitySize & { standing: Standing }

// A key that is limited to some slugs, or to a part of an organization, sees those; no key sees shared activities.
async function listSeen(db: Reader, caller: Caller): Promise<Entry[]> {
  const sizes = await listActivitySizes(db, caller.userId)
  const given = await listGivenShares(db, caller.userId)
  const own = sizes
    .filter(({ slug }) => reachesSlug(caller, 'activities', slug))
    .filter((size) => isInside(limitOf(caller), targetedActivity(size)))
    .map((size): Entry => ({ ...size, standing: { kind: 'owned', shareCount: countRecipients(given, size) } }))
  if (caller.kind !== 'user') return own
  const shared = await listSharedActivitySizes(db, caller.userId)
  if (shared.length === 0) return own
  return [...own, ...shared].sort((a, b) => compare(placeOf(a), placeOf(b)))
}

async function loadSeen(db: Reader, entries: readonly Entry[]): Promise<SeenActivity[]> {
  const activities = await listActivitiesById(
    db,
    entries.map(({ id }) => id),
  )
  const byId = new Map(activities.map((activity) => [activity.id, activity]))
  return entries.flatMap(({ id, standing }) => {
    const activity = byId.get(id)
    return activity ? [{ activity, standing }] : []
  })
}

// Where an entry stands in the list.
type Place = { slug: string; isShared: boolean; id: ActivityId }

const placeOf = ({ slug, standing, id }: Entry): Place => ({ slug, isShared: standing.kind === 'shared', id })

function compare(a: Place, b: Place): number {
  if (a.slug !== b.slug) return a.slug < b.slug ? -1 : 1
  if (a.isShared !== b.isShared) return a.isShared ? 1 : -1
  return a.id < b.id ? -1 : Number(a.id > b.id)
}

// The cursor of an own activity is its slug, which no other has.
const encodePlace = ({ slug, isShared, id }: Place): string => (isShared ? `${slug}~${id}` : slug)

function decodePlace(cursor: string): Place | undefined {
  const [slug = '', id, ...more] = cursor.split('~')
  if (!isSlug(slug) || more.length > 0 || (id !== undefined && !isUuid(id))) return undefined
  return { slug, isShared: id !== undefined, id: (id ?? LAST_ID) as ActivityId }
}

// Greater than every id: the own activity of a slug is one.
const LAST_ID = '~'

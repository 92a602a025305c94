// Lists activities by slug.
import type { ActivityListQuery } from '../../contract/activity.ts'
import { type Activity, readState } from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Page } from '../../domain/cursor.ts'
import { requireLevel, slugAllowed } from '../../domain/permissions.ts'
import { isSlug } from '../../domain/slug.ts'
import { type ActivitySize, listActivities, listActivitySizes } from '../../store/activities/activities.ts'
import type { Context } from '../context.ts'
import { readCursor, readPage } from '../paging.ts'

// A key that is limited to some slugs sees those. The cursor is the last slug of a page.
export async function readActivityPage(
  ctx: Context,
  caller: Caller,
  { limit, after: cursor, state }: ActivityListQuery,
): Promise<Page<Activity>> {
  requireLevel(caller, 'activities', 'read')
  const wanted = state === undefined ? undefined : readState(state)
  const after = readCursor(cursor, (slug) => (isSlug(slug) ? slug : undefined))
  const isListed = (activity: ActivitySize) =>
    (caller.kind !== 'key' || slugAllowed(caller.activitySlugs, activity.slug)) &&
    (wanted === undefined || activity.state === wanted) &&
    (after === undefined || activity.slug > after)
  return readPage(limit, {
    find: async (count) => {
      const sizes = await listActivitySizes(ctx.db.read, caller.userId)
      return { entries: sizes.filter(isListed).slice(0, count) }
    },
    bytesOf: ({ bytes }) => bytes,
    load: (entries) => {
      const slugs = entries.map(({ slug }) => slug)
      return ctx.slices(caller.userId, () => listActivities(ctx.db.read, caller.userId, slugs))
    },
    cursorAfter: ({ slug }) => slug,
  })
}

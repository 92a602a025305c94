// Activities: put, patch, read and remove. What a change sets off is for save-activity.ts.
import type { ActivityInput, ActivityListQuery, ActivityPatch } from '../../contract/activity.ts'
import { SLUG_PATTERN } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import {
  type Activity,
  type ActivityId,
  mayStart,
  newActivity,
  patchedActivity,
  readState,
  requirePriority,
  requireWishes,
  type ShownAs,
  shownAs,
  touch,
  withDeletion,
} from '../../domain/activities/activity.ts'
import { questionOf } from '../../domain/activities/templates/approval.ts'
import { type Caller, senderOf, type UserId } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireNoTarget } from '../../domain/notifications/target.ts'
import { requireLevel, requireSlug, slugAllowed } from '../../domain/permissions.ts'
import { newUuid } from '../../runtime/ids.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import {
  approvalTopic,
  countActivities,
  findActivity,
  findActivityForUpdate,
  insertActivity,
  listActivities,
  listActivitySizes,
} from '../../store/activities/activities.ts'
import type { Reader, Writer } from '../../store/engine/database.ts'
import { appendEvent } from '../../store/feeds.ts'
import type { Context } from '../context.ts'
import { pageLength } from '../paging.ts'
import { charge, type QuotaEffect, quotaEffect } from '../quota.ts'
import { type Commitment, carryOut } from '../transact-or-rehearse.ts'
import { waitUntil } from '../wait-until.ts'
import { dropActivity } from './drop.ts'
import { readBacklog, readHistory } from './records.ts'
import { findOutnumbered, preempt, saveActivity, writeActivity } from './save.ts'

export type ActivityChange = {
  activity: Activity
  action: 'created' | 'updated'
  // What devices are told, if anything.
  shown?: ShownAs
  // Of a dry run.
  quota?: QuotaEffect
}

export async function putActivity(
  ctx: Context,
  caller: Caller,
  input: ActivityInput,
  how: Commitment,
): Promise<ActivityChange> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', input.slug)
  requireNoTarget(input.target)
  requirePriority(input.priority)
  const now = ctx.clock.now()
  const fields = {
    name: input.name,
    priority: input.priority ?? 0,
    endedTtlSeconds: input.ended_ttl ?? null,
    staleTtlSeconds: input.stale_ttl ?? null,
    dismissalTtlSeconds: input.dismissal_ttl ?? null,
  }
  return carryOut(ctx, how, async (tx) => {
    const { activity, isNew } = await findOrCreate(tx, caller.userId, { slug: input.slug, ...fields }, now)
    if (isNew) return { activity, action: 'created' }
    const refreshed = withDeletion(touch({ ...activity, ...fields }, now))
    const written = await writeActivity(tx, refreshed, 'activity.updated', now)
    return { activity: written, action: 'updated' }
  })
}

export type PatchRequest = { patch: ActivityPatch; upsert: boolean; how: Commitment }

export async function patchActivity(
  ctx: Context,
  caller: Caller,
  slug: string,
  { patch, upsert, how }: PatchRequest,
): Promise<ActivityChange> {
  requireLevel(caller, 'activities', 'update')
  requireSlug(caller, 'activities', slug)
  if (upsert) requireUpsert(caller)
  requireWishes(patch)
  const now = ctx.clock.now()
  return carryOut(ctx, how, async (tx) => {
    const { activity: current, isNew } = await findToPatch(tx, caller, slug, { patch, upsert }, now)
    const pay = () => charge(tx, senderOf(caller), 'live_activity_updates', now)
    const change = await applyPatch(tx, current, patch, now, pay)
    const action = isNew ? 'created' : 'updated'
    if (how === 'commit') return { action, ...change }
    // Who asks what would be pushed sees all of it, and what it costs.
    const activity = await withRecords(tx, change.activity, false)
    const quota = change.shown && (await quotaEffect(tx, caller, 'live_activity_updates', now))
    return { action, ...change, activity, quota }
  })
}

// Whoever may start or create one counts others, and so takes the lock on the account, before that on the activity.
async function findToPatch(
  tx: Writer,
  caller: Caller,
  slug: string,
  { patch, upsert }: Pick<PatchRequest, 'patch' | 'upsert'>,
  now: Instant,
): Promise<{ activity: Activity; isNew: boolean }> {
  if (upsert) return findOrCreate(tx, caller.userId, { slug, name: slug }, now)
  if (mayStart(patch)) await lockUser(tx, caller.userId)
  return { activity: await requireActivityForUpdate(tx, caller, slug), isNew: false }
}

// Without `pay` it costs nothing.
export async function applyPatch(
  tx: Writer,
  current: Activity,
  patch: ActivityPatch,
  now: Instant,
  pay?: () => Promise<void>,
): Promise<Omit<ActivityChange, 'action' | 'quota'>> {
  const after = patchedActivity(current, patch, now)
  const shown = shownAs(current, after)
  const outnumbered = shown === 'start' ? await findOutnumbered(tx, current.userId) : []
  if (shown) await pay?.()
  for (const loser of outnumbered) await preempt(tx, loser, now)
  const activity = await saveActivity(tx, current, after, { now, sent: patch.content })
  return { activity, shown }
}

export type ActivityPage = { items: Activity[]; nextCursor?: string }

// A key that is limited to some slugs sees those. The cursor is the last slug of a page.
export async function pageOfActivities(
  ctx: Context,
  caller: Caller,
  { limit = LIMITS.pageItemsDefault, after, state }: ActivityListQuery,
): Promise<ActivityPage> {
  requireLevel(caller, 'activities', 'read')
  const wanted = state === undefined ? undefined : readState(state)
  if (after !== undefined && !SLUG.test(after)) {
    throw new Problem('cursor.invalid', 'This cursor is not one of this list; begin without one.')
  }
  const sizes = (await listActivitySizes(ctx.db.read, caller.userId))
    .filter(({ slug }) => caller.kind !== 'key' || slugAllowed(caller.activitySlugs, slug))
    .filter((activity) => wanted === undefined || activity.state === wanted)
    .filter(({ slug }) => after === undefined || slug > after)
  const length = pageLength(
    sizes.map(({ bytes }) => bytes),
    limit,
  )
  const slugs = sizes.slice(0, length).map(({ slug }) => slug)
  const items = await ctx.slices(caller.userId, () => listActivities(ctx.db.read, caller.userId, slugs))
  return { items, nextCursor: length < sizes.length ? slugs.at(-1) : undefined }
}

const SLUG = new RegExp(SLUG_PATTERN)

export type ReadRequest = { includeBacklog: boolean; wait: { seconds: number; gone: AbortSignal } }

// With a wait, held for as long as it is an approval that nobody has answered.
export async function readActivity(
  ctx: Context,
  caller: Caller,
  slug: string,
  { includeBacklog, wait }: ReadRequest,
): Promise<Activity> {
  const look = async (caller: Caller) => {
    requireLevel(caller, 'activities', 'read')
    requireSlug(caller, 'activities', slug)
    const activity = await findActivity(ctx.db.read, caller.userId, slug)
    if (!activity) throw activityNotFound(slug)
    const question = questionOf(activity.content)
    return { value: activity, isFinal: !question || question.answer !== undefined || activity.state !== 'ongoing' }
  }
  const { value: first, isFinal } = await look(caller)
  const topics = [approvalTopic(first.id)]
  const isHeld = wait.seconds > 0 && !isFinal
  const activity = isHeld ? await waitUntil(ctx, caller, { ...wait, topics }, look) : first
  // A history or a backlog may have hundreds of kilobytes.
  return ctx.slices(caller.userId, () => withRecords(ctx.db.read, activity, includeBacklog))
}

export async function removeActivity(ctx: Context, caller: Caller, slug: string): Promise<void> {
  requireLevel(caller, 'activities', 'manage')
  requireSlug(caller, 'activities', slug)
  const now = ctx.clock.now()
  await ctx.db.transact(async (tx) => dropActivity(tx, await requireActivityForUpdate(tx, caller, slug), now))
}

export async function requireActivityForUpdate(tx: Writer, caller: Caller, slug: string): Promise<Activity> {
  const activity = await findActivityForUpdate(tx, caller.userId, slug)
  if (!activity) throw activityNotFound(slug)
  return activity
}

async function withRecords(db: Reader, activity: Activity, includeBacklog: boolean): Promise<Activity> {
  const { content } = activity
  if (content.template === 'timeline') {
    return { ...activity, content: { ...content, history: await readHistory(db, activity) } }
  }
  if (!includeBacklog || content.template !== 'log') return activity
  return { ...activity, content: { ...content, log_backlog: await readBacklog(db, activity) } }
}

type NewActivity = Pick<Activity, 'slug' | 'name'> & Partial<Activity>

export async function findOrCreate(
  tx: Writer,
  userId: UserId,
  fields: NewActivity,
  now: Instant,
): Promise<{ activity: Activity; isNew: boolean }> {
  await lockUser(tx, userId)
  const existing = await findActivityForUpdate(tx, userId, fields.slug)
  if (existing) return { activity: existing, isNew: false }
  if ((await countActivities(tx, userId)) >= LIMITS.activities) {
    throw new Problem(
      'activity.limit_exceeded',
      `An account has at most ${LIMITS.activities} activities; delete one first.`,
    )
  }
  const activity = newActivity({ id: newUuid() as ActivityId, userId, ...fields }, now)
  await insertActivity(tx, activity)
  await appendEvent(tx, userId, { type: 'activity.created', at: now, data: { slug: activity.slug } })
  return { activity, isNew: true }
}

function requireUpsert(caller: Caller): void {
  if (caller.kind !== 'key' || caller.permissions.activities === 'manage') return
  throw new Problem(
    'activity.upsert_forbidden',
    `?upsert=true needs activities:manage; the key has activities:${caller.permissions.activities}.`,
  )
}

const activityNotFound = (slug: string) => new Problem('activity.not_found', `There is no activity "${slug}".`)

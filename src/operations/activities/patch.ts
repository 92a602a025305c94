// Patches an activity: starts, updates or ends it, and creates it with ?upsert=true.
import type { ActivityPatch } from '../../contract/activity.ts'
import { Problem } from '../../contract/problems.ts'
import {
  type Activity,
  type ActivityPushEvent,
  patchedActivity,
  pushEventOf,
  validatePatch,
  wouldStart,
} from '../../domain/activities/activity.ts'
import { type Caller, senderOf } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import { lockUser } from '../../store/accounts/accounts.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/feeds.ts'
import type { DryRunEffects } from '../../views/dry-run.ts'
import type { Context } from '../context.ts'
import { charge, quotaEffect } from '../quota.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { createdNews } from './audience.ts'
import { findOrCreate, requireActivityForUpdate } from './find.ts'
import { withRecords } from './read.ts'
import { findOutnumbered, preempt, type SavedActivity, saveActivity } from './save.ts'

export type ActivityChange = {
  activity: Activity
  action: 'created' | 'updated'
  // Only a dry run has them.
  effects?: DryRunEffects
}

export type PatchRequest = { patch: ActivityPatch; upsert: boolean; mode: ChangeMode }

export async function patchActivity(
  ctx: Context,
  caller: Caller,
  slug: string,
  { patch, upsert, mode }: PatchRequest,
): Promise<ActivityChange> {
  requireLevel(caller, 'activities', 'update')
  requireSlug(caller, 'activities', slug)
  if (upsert) requireUpsert(caller)
  validatePatch(patch)
  const now = ctx.clock.now()
  const { pushEvent, quota, ...change } = await transactOrRehearse(ctx, mode, async (tx) => {
    const found = await findToPatch(tx, caller, slug, { patch, upsert }, now)
    const pay = () => charge(tx, senderOf(caller), 'live_activity_updates', now)
    const { activity, pushEvent, news } = await applyPatch(tx, found, patch, now, pay)
    await appendToFeeds(tx, news)
    const change = { activity, pushEvent, action: found.isNew ? 'created' : 'updated' } as const
    if (mode === 'commit') return { ...change, quota: undefined }
    const quota = pushEvent && (await quotaEffect(tx, caller, 'live_activity_updates', now))
    return { ...change, activity: await withRecords(tx, activity, false), quota }
  })
  if (mode === 'commit') return change
  const pushes = pushEvent ? ctx.push.preview({ kind: 'activity', activity: change.activity, event: pushEvent }) : []
  return { ...change, effects: { pushes, quota } }
}

// Starting or creating an activity counts the others, so it locks the account, and locks it before the activity.
async function findToPatch(
  tx: Writer,
  caller: Caller,
  slug: string,
  { patch, upsert }: Pick<PatchRequest, 'patch' | 'upsert'>,
  now: Instant,
): Promise<ActivityToPatch> {
  if (upsert) return findOrCreate(tx, caller.userId, { slug, name: slug }, now)
  if (wouldStart(patch)) await lockUser(tx, caller.userId)
  return { activity: await requireActivityForUpdate(tx, caller, slug), isNew: false }
}

type ActivityToPatch = { activity: Activity; isNew: boolean }

export type AppliedPatch = SavedActivity & { pushEvent?: ActivityPushEvent; news: FeedEntry[] }

// The caller appends the news as its last statement. Without `pay` the change is not counted.
export async function applyPatch(
  tx: Writer,
  { activity: current, isNew }: ActivityToPatch,
  patch: ActivityPatch,
  now: Instant,
  pay?: () => Promise<void>,
): Promise<AppliedPatch> {
  const after = patchedActivity(current, patch, now)
  const pushEvent = pushEventOf(current, after)
  const outnumbered = pushEvent === 'start' ? await findOutnumbered(tx, current.userId) : []
  if (pushEvent) await pay?.()
  const news: FeedEntry[] = isNew ? await createdNews(tx, current, now) : []
  for (const loser of outnumbered) await preempt(tx, loser, now, news)
  return { ...(await saveActivity(tx, current, after, { now, sent: patch.content, news })), pushEvent, news }
}

function requireUpsert(caller: Caller): void {
  if (caller.kind !== 'key' || caller.permissions.activities === 'manage') return
  throw new Problem(
    'activity.upsert_forbidden',
    `?upsert=true needs activities:manage; the key has activities:${caller.permissions.activities}.`,
  )
}

// Patches an activity: starts, updates or ends it, and creates it with ?upsert=true.
import type { ActivityPatch } from '../../contract/activities.ts'
import { Problem } from '../../contract/problems.ts'
import type { QuotaEffect } from '../../domain/accounts/quota.ts'
import {
  type Activity,
  type ActivityPushEvent,
  patchedActivity,
  pushEventOf,
  validatePatch,
  wouldStart,
} from '../../domain/activities/activity.ts'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import { targetedActivity } from '../../domain/organizations/activity-target.ts'
import { limitOf, openTaken } from '../../domain/organizations/limit.ts'
import { requireLevel, requireSlug } from '../../domain/permissions.ts'
import type { Caps, Plans } from '../../domain/plans.ts'
import { owned, requireEditor, type SeenActivity } from '../../domain/shares/standing.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import type { DryRunEffects } from '../../views/dry-run.ts'
import type { Context } from '../context.ts'
import { charge, quotaEffect } from '../quota.ts'
import { readActivityTarget, requireMayTarget } from '../targets.ts'
import { type ChangeMode, transactOrRehearse } from '../transact-or-rehearse.ts'
import { audienceOf, type EarlyAudience, earlyAudienceOf, readEarlyAudience } from './audience.ts'
import { findOrCreate } from './find.ts'
import { withRecords } from './read.ts'
import { findOutnumbered, preempt, type SavedActivity, saveActivity, seenAfter, tellOfNew } from './save.ts'
import { changeSeenActivity } from './seen.ts'

export type ActivityChange = SeenActivity & {
  action: 'created' | 'updated'
  // Only a dry run has them.
  effects?: DryRunEffects
}

export type PatchRequest = { patch: ActivityPatch; upsert: boolean; mode: ChangeMode }

// `name`: a slug or an id. With `upsert` only the own activities are looked at.
export async function patchActivity(
  ctx: Context,
  caller: Caller,
  name: string,
  { patch, upsert, mode }: PatchRequest,
): Promise<ActivityChange> {
  requireLevel(caller, 'activities', 'update')
  requireSlug(caller, 'activities', name)
  if (upsert) requireUpsert(caller)
  requireMayTarget(caller, patch.target)
  validatePatch(patch)
  const now = ctx.clock.now()
  const applying: Applying = { plans: ctx.config.plans, caller, patch, mode, now }
  const { pushEvent, quota, early, ...change } = upsert
    ? await transactOrRehearse<Patched>(ctx, mode, (tx, before) => patchOrCreate(tx, name, applying, before), {
        // A new target concerns the rows of the members whom it reaches.
        group: patch.target === undefined ? { kind: 'activity-upsert', account: caller.userId, row: name } : undefined,
      })
    : await changeSeenActivity(
        ctx,
        caller,
        name,
        { mode, locksOwner: wouldStart(patch) || patch.target !== undefined, readsAudience: true },
        (tx, seen, early) => patchSeen(tx, { ...seen, isNew: false, early }, applying),
      )
  if (mode === 'commit') return change
  const pushes = pushEvent ? ctx.push.preview({ kind: 'activity', activity: change.activity, event: pushEvent }) : []
  return { ...change, effects: { pushes, quota } }
}

type Applying = { plans: Plans; caller: Caller; patch: ActivityPatch; mode: ChangeMode; now: Instant }
type Patched = Omit<ActivityChange, 'effects'> & {
  pushEvent?: ActivityPushEvent
  quota?: QuotaEffect
  early?: EarlyAudience
}

// `before`: of a patch of the same name in the same transaction, see Work.
async function patchOrCreate(tx: Writer, name: string, applying: Applying, before?: Patched): Promise<Patched> {
  const { isNew, early, activity } =
    before?.activity.slug === name ? foundBefore(applying.caller, before) : await findWithAudience(tx, name, applying)
  const patched = await patchSeen(tx, { ...owned(activity, 0), isNew, early }, applying)
  // The audience of a new activity was read before it had tokens.
  return { ...patched, early: isNew ? undefined : early }
}

// The patch before may be one of another caller.
function foundBefore(caller: Caller, { activity, early }: Patched) {
  openTaken(limitOf(caller), targetedActivity(activity), activity.slug)
  return { activity, early, isNew: false }
}

async function findWithAudience(tx: Writer, name: string, { caller, patch, now }: Applying) {
  const [found, early] = await Promise.all([
    findOrCreate(tx, caller, name, patch.target, now),
    readEarlyAudience(tx, caller.userId, name),
  ])
  return { ...found, early }
}

// A change is charged to the quota of the owner, also if an editor sends it.
async function patchSeen(
  tx: Writer,
  { isNew, early, ...seen }: SeenActivity & { isNew: boolean; early?: EarlyAudience },
  { plans, caller, patch, mode, now }: Applying,
): Promise<Patched> {
  requireEditor(seen)
  const { activity, standing } = seen
  const isRetargeted = patch.target !== undefined && !isNew
  const target = isRetargeted ? await readActivityTarget(tx, caller, patch.target) : activity.target
  const payer = standing.kind === 'owned' ? caller : { ...standing.owner, plan: plans.named(standing.owner.plan) }
  const pay = () => charge(tx, payer, 'live_activity_updates', now)
  const toPatch = { activity, isNew, target, early, caps: payer.plan.caps }
  const { pushEvent, news, ...saved } = await applyPatch(tx, toPatch, patch, now, pay)
  await appendToFeeds(tx, news)
  const after = seenAfter(saved, seen.standing)
  const change = { ...after, pushEvent, action: isNew ? 'created' : 'updated' } as const
  if (mode === 'commit') return change
  const quota = pushEvent && (await quotaEffect(tx, payer, 'live_activity_updates', now))
  return { ...change, activity: await withRecords(tx, after.activity, false), quota }
}

// `target`: the one that the activity gets.
// `caps`: those of the owner.
type ActivityToPatch = {
  activity: Activity
  isNew: boolean
  target?: Activity['target']
  early?: EarlyAudience
  caps: Caps
}

export type AppliedPatch = SavedActivity & { pushEvent?: ActivityPushEvent; news: FeedEntry[] }

// The caller appends the news as its last statement. Without `pay` the change is not counted.
export async function applyPatch(
  tx: Writer,
  { activity: current, isNew, target = current.target, early, caps }: ActivityToPatch,
  patch: ActivityPatch,
  now: Instant,
  pay?: () => Promise<void>,
): Promise<AppliedPatch> {
  const after = { ...patchedActivity(current, patch, now), target }
  const pushEvent = pushEventOf(current, after)
  // Which activity makes room is decided by all that are ongoing.
  if (pushEvent === 'start') tx.requireAlone()
  const outnumbered = pushEvent === 'start' ? await findOutnumbered(tx, current.userId, caps) : []
  // A new activity may have got tokens since its audience was read.
  const known = isNew ? undefined : earlyAudienceOf(after, early)
  // One round trip: a quota that is used up refuses the change before the audience matters.
  const [audience] = await Promise.all([known ?? audienceOf(tx, after, now), pushEvent && pay?.()])
  const news: FeedEntry[] = isNew ? (await tellOfNew(tx, current, now)).news : []
  for (const loser of outnumbered) await preempt(tx, loser, now, news)
  return { ...(await saveActivity(tx, current, after, { now, sent: patch.content, news, audience })), pushEvent, news }
}

function requireUpsert(caller: Caller): void {
  if (caller.kind !== 'key' || caller.permissions.activities === 'manage') return
  throw new Problem(
    'activity.upsert_forbidden',
    `?upsert=true needs activities:manage; the key has activities:${caller.permissions.activities}.`,
  )
}

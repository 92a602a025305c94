// Tells the members of an organization that something about it or about them has changed. A job tells many of them in
// steps: one transaction for ten thousand feeds would block all other writers.
import { LIMITS } from '../../contract/limits.ts'
import type { UserId } from '../../domain/caller.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { OrgId } from '../../domain/ids.ts'
import type { Instant } from '../../domain/instant.ts'
import { JOB_KEYS } from '../../domain/jobs.ts'
import type { Writer } from '../../store/engine/database.ts'
import { appendToFeeds, type FeedEntry } from '../../store/events/feeds.ts'
import { enqueueJob, type Job } from '../../store/jobs.ts'
import { listMemberIdsAfter } from '../../store/organizations/memberships.ts'
import type { JobContext } from '../context.ts'
import type { JobResult } from '../job-result.ts'

const STEP = LIMITS.organization.membersPerStep

export async function tellAllMembers(tx: Writer, orgId: OrgId, now: Instant): Promise<void> {
  const key = JOB_KEYS.memberNews(orgId)
  await enqueueJob(tx, { kind: 'tell-members', key, payload: { userId: orgId }, runAt: now })
}

// Writes an event of the organization, and `org.updated` for the members it concerns; if those are many, for all members.
// `news`: what else the change tells members. The feeds are the last rows that a transaction locks.
export async function announce(
  tx: Writer,
  orgId: OrgId,
  event: NewEvent,
  concerned: readonly UserId[],
  news: readonly FeedEntry[] = [],
): Promise<void> {
  const isMany = concerned.length > STEP
  if (isMany) await tellAllMembers(tx, orgId, event.at)
  const entries = isMany ? [] : concerned.map((userId) => updateFor(userId, orgId, event.at))
  await appendToFeeds(tx, [{ userId: orgId, event }, ...entries, ...news])
}

const updateFor = (userId: UserId, orgId: OrgId, at: Instant): FeedEntry => ({
  userId,
  event: { type: 'org.updated', at, data: { id: orgId } },
})

export async function tellMembers(
  ctx: JobContext,
  { payload: { userId: orgId, after } }: Job<'tell-members'>,
): Promise<JobResult<'tell-members'>> {
  const now = ctx.clock.now()
  const ids = await listMemberIdsAfter(ctx.db.read, orgId, after, STEP)
  const record = (tx: Writer) =>
    appendToFeeds(
      tx,
      ids.map((id) => updateFor(id, orgId, now)),
    )
  const last = ids.at(-1)
  if (last === undefined || ids.length < STEP) return { done: true, record }
  return { again: now, payload: { userId: orgId, after: last }, record }
}

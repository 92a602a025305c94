// A share: what an owner shares, with whom, and in which role.

import type { EventType } from '../../contract/events/event.ts'
import type { PlanName } from '../../contract/plans.ts'
import { SHARE_ROLES, type ShareDirection, type ShareRole } from '../../contract/shares.ts'
import type { Activity, ActivityId } from '../activities/activity.ts'
import type { UserId } from '../caller.ts'
import type { NewEvent } from '../events.ts'
import type { Instant } from '../instant.ts'
import type { JoinCodeTerms } from '../join-code.ts'
import { isPaidPlan } from '../plans.ts'

export type ShareId = string & { readonly of: 'share' }

// One activity, or all whose slug begins with the prefix, present and future.
export type SharedSubject =
  | { kind: 'activity'; activityId: ActivityId; slug: string }
  | { kind: 'pattern'; slugPrefix: string }

// `userId` is the owner.
export type Share = {
  id: ShareId
  userId: UserId
  ownerNickname: string | null
  recipientId: UserId
  recipientNickname: string | null
  role: ShareRole
  subject: SharedSubject
  createdAt: Instant
}

// A code by which others join what its owner shares.
export type ShareCode = JoinCodeTerms & { userId: UserId; role: ShareRole; subject: SharedSubject }

export const prefixOf = (pattern: string): string => pattern.slice(0, -1)
export const patternOf = (slugPrefix: string): string => `${slugPrefix}*`

export function covers(subject: SharedSubject, { id, slug }: Pick<Activity, 'id' | 'slug'>): boolean {
  return subject.kind === 'activity' ? subject.activityId === id : slug.startsWith(subject.slugPrefix)
}

const rank = (role: ShareRole): number => SHARE_ROLES.indexOf(role)

export const isAtLeast = (role: ShareRole, other: ShareRole): boolean => rank(role) >= rank(other)

export function highestRole(roles: readonly ShareRole[]): ShareRole | undefined {
  return roles.toSorted((a, b) => rank(b) - rank(a))[0]
}

// An editor whose account is on a free plan is treated as a viewer until it is paid again.
export const effectiveRole = (role: ShareRole, plan: PlanName): ShareRole => (isPaidPlan(plan) ? role : 'viewer')

type FeedEntry = { userId: UserId; event: NewEvent }
type ShareNews = { type: Extract<EventType, `share.${string}`>; at: Instant }

// The events of a share, in the feeds of its owner and of its recipient.
export function shareNews({ id, userId, recipientId, role, subject }: Share, { type, at }: ShareNews): FeedEntry[] {
  const shared = subject.kind === 'activity' ? { slug: subject.slug } : { slug_pattern: patternOf(subject.slugPrefix) }
  const entry = (account: typeof userId, direction: ShareDirection): FeedEntry => ({
    userId: account,
    event: { type, at, data: { id, direction, role, ...shared } },
  })
  return [entry(userId, 'given'), entry(recipientId, 'received')]
}

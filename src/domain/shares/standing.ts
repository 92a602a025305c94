// How a caller stands to an activity: the caller owns it, or it is shared with the caller in a role.
import type { PlanName } from '../../contract/plans.ts'
import { Problem } from '../../contract/problems.ts'
import type { ShareRole } from '../../contract/shares.ts'
import { type Activity, isOfOrganization } from '../activities/activity.ts'
import type { UserId } from '../caller.ts'

export type Standing = { kind: 'owned'; shareCount: number } | SharedWithCaller
export type SharedWithCaller = { kind: 'shared'; role: ShareRole; owner: ActivityOwner }
export type ActivityOwner = { userId: UserId; nickname: string | null; plan: PlanName }

export type SeenActivity<S extends Standing = Standing> = { activity: Activity; standing: S }

// The activity as its owner sees it.
export const owned = (activity: Activity, shareCount: number): SeenActivity => ({
  activity,
  standing: { kind: 'owned', shareCount },
})

export function requireEditor({ activity, standing }: SeenActivity): void {
  if (standing.kind === 'owned' || standing.role === 'editor') return
  const detail = isOfOrganization(activity)
    ? `"${activity.slug}" is changed by the owners and admins of the organization; you are a member.`
    : `"${activity.slug}" is shared with you as a viewer; its owner can make you an editor.`
  throw new Problem('activity.viewer_forbidden', detail)
}

// An approval of an organization is addressed to everyone whom it reaches.
export const mayAnswer = ({ activity, standing }: SeenActivity): boolean =>
  standing.kind === 'owned' || standing.role === 'editor' || isOfOrganization(activity)

export function requireMayAnswer(seen: SeenActivity): void {
  if (!mayAnswer(seen)) requireEditor(seen)
}

export function requireOwner({ activity, standing }: SeenActivity): void {
  if (standing.kind === 'owned') return
  const detail = isOfOrganization(activity)
    ? `"${activity.slug}" belongs to an organization. Its owners and admins delete it under /orgs/{org_id}.`
    : `"${activity.slug}" is shared with you, so only its owner can delete it. Leave it with DELETE /shares/{share_id}.`
  throw new Problem('activity.viewer_forbidden', detail)
}

// How a caller stands to an activity: the caller owns it, or it is shared with the caller in a role.
import type { Plan } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems.ts'
import type { ShareRole } from '../../contract/share.ts'
import type { Activity } from '../activities/activity.ts'
import type { UserId } from '../caller.ts'

export type Standing = { kind: 'owned'; shareCount: number } | SharedWithCaller
export type SharedWithCaller = { kind: 'shared'; role: ShareRole; owner: ActivityOwner }
export type ActivityOwner = { userId: UserId; nickname: string | null; plan: Plan }

export type SeenActivity<S extends Standing = Standing> = { activity: Activity; standing: S }

// The activity as its owner sees it.
export const owned = (activity: Activity, shareCount: number): SeenActivity => ({
  activity,
  standing: { kind: 'owned', shareCount },
})

export function requireEditor({ activity, standing }: SeenActivity): void {
  if (standing.kind === 'owned' || standing.role === 'editor') return
  throw new Problem(
    'activity.viewer_forbidden',
    `"${activity.slug}" is shared with you as a viewer; its owner can make you an editor.`,
  )
}

export function requireOwner({ activity, standing }: SeenActivity): void {
  if (standing.kind === 'owned') return
  throw new Problem(
    'activity.viewer_forbidden',
    `"${activity.slug}" is shared with you, so only its owner can delete it. Leave it with DELETE /shares/{share_id}.`,
  )
}

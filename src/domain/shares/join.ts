// Joining by a code: what happens, or why it is refused.
import { LIMITS } from '../../contract/limits.ts'
import type { PlanName } from '../../contract/plans.ts'
import { Problem } from '../../contract/problems.ts'
import type { ShareRole } from '../../contract/shares.ts'
import type { UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import { isExpired, isUsedUp, shareCodeInvalid } from '../join-code.ts'
import { isPaidPlan, type Plan } from '../plans.ts'
import { isAtLeast, type Share, type ShareCode } from './share.ts'

export type JoinFacts = {
  code: ShareCode
  // Both plans as they are now.
  owner: { plan: PlanName }
  recipient: { userId: UserId; plan: Plan }
  // The recipient's share of this activity or pattern, if any.
  held: Share | undefined
  // The owner has ended a share of the recipient, or lowered its role, since the code was made.
  isBarred: boolean
  // Other accounts on a free plan that the owner shares anything with.
  otherFreeRecipients: number
  // All shares that the recipient has received.
  received: number
  // Accounts that have this activity or pattern.
  recipients: number
  // All shares that the owner has given.
  given: number
}

// `keep` and `raise` answer with the share that the recipient has; only `raise` and `create` use the code.
export type JoinEffect = 'keep' | 'raise' | 'create'

export function joinEffect(facts: JoinFacts, now: Instant): JoinEffect {
  const { code, owner, recipient, held } = facts
  if (isExpired(code, now) || !isPaidPlan(owner.plan)) throw shareCodeInvalid()
  const keeps = held !== undefined && isAtLeast(held.role, code.role)
  // Someone who has joined gets the share again, although the code is used up.
  if ((isUsedUp(code) || facts.isBarred) && !keeps) throw shareCodeInvalid()
  if (code.userId === recipient.userId) {
    throw new Problem('share.own', 'This code is your own; give it to someone else.')
  }
  if (keeps) return 'keep'
  requireEditorPlan(code.role, recipient.plan)
  if (held) return 'raise'
  requirePatternPlan(code, recipient.plan)
  requireRoomOnFreePlan(facts)
  requireRoom(facts)
  return 'create'
}

export function requireEditorPlan(role: ShareRole, plan: Plan): void {
  if (role === 'viewer' || plan.isPaid) return
  throw new Problem(
    'permission.editor_requires_paid_recipient',
    'An editor must be on a paid plan, and the account that would become one is on a free plan.',
  )
}

function requirePatternPlan({ subject }: ShareCode, plan: Plan): void {
  if (subject.kind === 'activity' || plan.isPaid) return
  throw new Problem(
    'subscription.required',
    'This code shares all activities of a pattern, which needs a paid plan. A code of one activity works on a free plan.',
  )
}

function requireRoomOnFreePlan({ recipient, otherFreeRecipients, received }: JoinFacts): void {
  if (recipient.plan.isPaid) return
  const { maxFreeRecipients } = LIMITS.share
  const most = recipient.plan.caps.received_shares
  if (otherFreeRecipients >= maxFreeRecipients) {
    throw new Problem(
      'permission.free_recipient_limit_exceeded',
      `The owner shares with ${maxFreeRecipients} accounts on a free plan already, which is the most.`,
    )
  }
  if (received < most) return
  throw new Problem(
    'permission.free_share_limit_exceeded',
    `An account on a free plan has at most ${most} shares of others; leave one first.`,
  )
}

function requireRoom({ recipient, received, recipients, given }: JoinFacts): void {
  const { maxRecipients, maxGiven } = LIMITS.share
  const most = recipient.plan.caps.received_shares
  if (received >= most) {
    throw shareLimit('received', most, `You have ${most} shares of others; leave one first.`)
  }
  if (given >= maxGiven) {
    throw shareLimit('recipients', maxGiven, `The owner has given ${maxGiven} shares already, which is the most.`)
  }
  if (recipients < maxRecipients) return
  throw shareLimit(
    'recipients',
    maxRecipients,
    `It is shared with ${maxRecipients} accounts already, which is the most.`,
  )
}

export const shareLimit = (kind: 'codes' | 'recipients' | 'received', limit: number, detail: string) =>
  new Problem('share.limit_exceeded', detail, { kind, limit })

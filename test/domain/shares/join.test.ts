// Joining by a code: the reasons to refuse it, and which of several is given.

import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { Problem } from '../../../src/contract/problems.ts'
import type { ShareRole } from '../../../src/contract/shares.ts'
import type { ActivityId } from '../../../src/domain/activities/activity.ts'
import type { UserId } from '../../../src/domain/caller.ts'
import { fromRfc3339, plusSeconds } from '../../../src/domain/instant.ts'
import type { JoinCode, JoinCodeId } from '../../../src/domain/join-code.ts'
import { CONTRACT_PLANS } from '../../../src/domain/plans.ts'
import { type JoinFacts, joinEffect } from '../../../src/domain/shares/join.ts'
import type { Share, ShareId } from '../../../src/domain/shares/share.ts'

const NOW = fromRfc3339('2026-11-15T08:00:00Z')
const OWNER = 'owner' as UserId
const RECIPIENT = 'recipient' as UserId
const SUBJECT = { kind: 'activity', activityId: 'a' as ActivityId, slug: 'build' } as const

const FACTS: JoinFacts = {
  code: {
    id: 'c' as JoinCodeId,
    userId: OWNER,
    code: 'K7QW2MXD' as JoinCode,
    subject: SUBJECT,
    role: 'viewer',
    maxUses: 2,
    useCount: 1,
    expiresAt: plusSeconds(NOW, 1),
    createdAt: NOW,
  },
  owner: { plan: 'paid' },
  recipient: { userId: RECIPIENT, plan: CONTRACT_PLANS.named('paid') },
  held: undefined,
  isBarred: false,
  otherFreeRecipients: 0,
  received: 0,
  recipients: 0,
  given: 0,
}

const held = (role: ShareRole): Share => ({
  id: 's' as ShareId,
  userId: OWNER,
  ownerNickname: null,
  recipientId: RECIPIENT,
  recipientNickname: null,
  role,
  subject: SUBJECT,
  createdAt: NOW,
})

type Change = (facts: JoinFacts) => JoinFacts

const withCode =
  (code: Partial<JoinFacts['code']>): Change =>
  (facts) => ({ ...facts, code: { ...facts.code, ...code } })
const onFreePlan = (facts: JoinFacts): JoinFacts => ({
  ...facts,
  recipient: { ...facts.recipient, plan: CONTRACT_PLANS.named('free') },
})

function outcomeOf(facts: JoinFacts): string {
  try {
    return joinEffect(facts, NOW)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.code, error.members.kind].filter(Boolean).join(' ')
  }
}

const { maxFreeRecipients, maxReceived, maxRecipients, maxGiven } = LIMITS.share

// The first of these that applies is the answer.
const REFUSALS: [outcome: string, change: Change][] = [
  ['share.code_invalid', withCode({ expiresAt: NOW })],
  ['share.code_invalid', withCode({ useCount: 2 })],
  ['share.code_invalid', (facts) => ({ ...facts, owner: { plan: 'free' } })],
  ['share.own', (facts) => ({ ...facts, recipient: { ...facts.recipient, userId: OWNER } })],
  ['permission.editor_requires_paid_recipient', (facts) => onFreePlan(withCode({ role: 'editor' })(facts))],
  ['subscription.required', (facts) => onFreePlan(withCode({ subject: { kind: 'pattern', slugPrefix: '' } })(facts))],
  [
    'permission.free_recipient_limit_exceeded',
    (facts) => onFreePlan({ ...facts, otherFreeRecipients: maxFreeRecipients }),
  ],
  [
    'permission.free_share_limit_exceeded',
    (facts) => onFreePlan({ ...facts, received: Math.max(facts.received, maxReceived.free) }),
  ],
  ['share.limit_exceeded received', (facts) => ({ ...facts, received: maxReceived.paid })],
  ['share.limit_exceeded recipients', (facts) => ({ ...facts, recipients: maxRecipients })],
  ['share.limit_exceeded recipients', (facts) => ({ ...facts, given: maxGiven })],
]

test('a code that is open and breaks no rule creates a share', () => {
  expect(outcomeOf(FACTS)).toBe('create')
})

test.each(REFUSALS)('%s is given before every reason below it', (outcome, change) => {
  expect(outcomeOf(change(FACTS))).toBe(outcome)
  const later = REFUSALS.slice(REFUSALS.findIndex(([, other]) => other === change) + 1)
  for (const [, other] of later) expect(outcomeOf(change(other(FACTS)))).toBe(outcome)
})

test('one below each limit creates a share', () => {
  const almost = { otherFreeRecipients: maxFreeRecipients - 1, recipients: maxRecipients - 1, given: maxGiven - 1 }
  expect(outcomeOf({ ...FACTS, ...almost, received: maxReceived.paid - 1 })).toBe('create')
  expect(outcomeOf(onFreePlan({ ...FACTS, ...almost, received: maxReceived.free - 1 }))).toBe('create')
})

describe('someone who has the share', () => {
  const full = { otherFreeRecipients: 9, received: 999, recipients: 999, given: 9999 }

  test.each([
    ['viewer', 'viewer', 'keep'],
    ['editor', 'viewer', 'keep'],
    ['editor', 'editor', 'keep'],
    ['viewer', 'editor', 'raise'],
  ] as const)('as %s and uses a code for %s: %s, whatever the limits', (has, offered, effect) => {
    expect(outcomeOf(withCode({ role: offered })({ ...FACTS, ...full, held: held(has) }))).toBe(effect)
  })

  test('keeps it by a code that is used up, but is not raised by one', () => {
    const usedUp = (role: ShareRole) => withCode({ role, useCount: 2 })({ ...FACTS, held: held('viewer') })
    expect(outcomeOf(usedUp('viewer'))).toBe('keep')
    expect(outcomeOf(usedUp('editor'))).toBe('share.code_invalid')
  })

  test('is refused a code that has expired, or whose owner is on the free plan', () => {
    for (const [outcome, change] of [REFUSALS[0]!, REFUSALS[2]!]) {
      expect(outcomeOf(change({ ...FACTS, held: held('editor') }))).toBe(outcome)
    }
  })

  test('keeps it on the free plan, and is not raised there', () => {
    const free = onFreePlan({ ...FACTS, held: held('viewer') })
    expect(outcomeOf(free)).toBe('keep')
    expect(outcomeOf(withCode({ role: 'editor' })(free))).toBe('permission.editor_requires_paid_recipient')
  })
})

// Which rule holds a notification: the order of the reasons, and what passes all of them.
import { describe, expect, test } from 'vitest'
import type { KeyId } from '../../../src/domain/caller.ts'
import {
  type Holdable,
  type HoldRules,
  heldBy,
  heldDetail,
  type Mute,
  type MuteId,
} from '../../../src/domain/holds/hold.ts'
import { NO_QUIET_HOURS } from '../../../src/domain/holds/quiet-hours.ts'
import { fromRfc3339, plusSeconds } from '../../../src/domain/instant.ts'
import { deliveryOf } from '../../../src/domain/notifications/delivery.ts'

const now = fromRfc3339('2026-11-16T22:00:00Z')
const MUTE: Mute = { id: 'm' as MuteId, kind: 'source', value: 'ci', until: plusSeconds(now, 60), createdAt: now }
const SHIELD = { id: 'k' as KeyId, pushesPerMinute: 30 }
const RULES = {
  muted: { mutes: [MUTE] },
  quiet_hours: { quietHours: { ...NO_QUIET_HOURS, until: plusSeconds(now, 60) } },
  storm: { storm: SHIELD },
} satisfies Record<string, Partial<HoldRules>>
type Rule = keyof typeof RULES

const message: Holdable = {
  level: 'active',
  source: 'ci',
  threadId: undefined,
  push: true,
  keyId: 'k' as KeyId,
  isAlert: false,
}
const rulesOf = (names: readonly Rule[]): HoldRules =>
  Object.assign({ mutes: [], quietHours: undefined }, ...names.map((name) => RULES[name]))
// As the sender is told: push_disabled if it wanted no push.
const reasonFor = (sent: Partial<Holdable>, names: readonly Rule[]): string | undefined => {
  const held = heldBy({ ...message, ...sent }, rulesOf(names), now)
  const push = (sent.push ?? true) && !held
  return push ? undefined : deliveryOf([], false, held).reason
}

const COMBINATIONS: [Rule[], string | undefined][] = [
  [[], undefined],
  [['muted'], 'muted'],
  [['quiet_hours'], 'quiet_hours'],
  [['storm'], 'storm'],
  [['muted', 'quiet_hours'], 'muted'],
  [['muted', 'storm'], 'muted'],
  [['quiet_hours', 'storm'], 'quiet_hours'],
  [['muted', 'quiet_hours', 'storm'], 'muted'],
]

describe.each(COMBINATIONS)('under %j', (rules, reason) => {
  test('a notification', () => expect(reasonFor({}, rules)).toBe(reason))
  test('push: false stays push_disabled', () => expect(reasonFor({ push: false }, rules)).toBe('push_disabled'))
  test.each([
    ['critical', { level: 'critical' }],
    ['acknowledge', { isAlert: true }],
    ['acknowledge, passive', { isAlert: true, level: 'passive' }],
  ] as const)('%s is pushed', (_, sent) => expect(reasonFor(sent, rules)).toBeUndefined())
})

describe('quiet hours', () => {
  const passing = (passes: 'time-sensitive' | 'critical') => ({ ...RULES.quiet_hours.quietHours, passes })
  const isHeld = (level: Holdable['level'], passes: 'time-sensitive' | 'critical') =>
    heldBy({ ...message, level }, { mutes: [], quietHours: passing(passes) }, now) !== undefined

  test.each([
    ['time-sensitive', [true, true, false, false]],
    ['critical', [true, true, true, false]],
  ] as const)('that %s passes', (passes, held) => {
    const levels = ['passive', 'active', 'time-sensitive', 'critical'] as const
    expect(levels.map((level) => isHeld(level, passes))).toEqual(held)
  })

  test('a level that passes them is muted and counted in a storm all the same', () => {
    expect(reasonFor({ level: 'time-sensitive' }, ['muted', 'quiet_hours'])).toBe('muted')
    expect(reasonFor({ level: 'time-sensitive' }, ['quiet_hours', 'storm'])).toBe('storm')
  })
})

describe('the words of the timeline', () => {
  const quiet = (seconds: number, timezone = 'Europe/Berlin') =>
    heldDetail({ reason: 'quiet_hours', until: plusSeconds(now, seconds), timezone, isTold: true }, now)

  test('name the end by the clock of the person, with its date if it is far', () => {
    expect(quiet(8 * 3600)).toBe('held until 07:00')
    expect(quiet(8 * 3600, 'America/New_York')).toBe('held until 01:00')
    expect(quiet(32 * 3600)).toBe('held until 2026-11-18 07:00')
  })

  test('name the end of a mute and the limit of a storm', () => {
    expect(heldDetail({ reason: 'muted', until: now }, now)).toBe('until 2026-11-16T22:00:00.000Z')
    expect(heldDetail({ reason: 'storm', shield: SHIELD }, now)).toBe('more than 30 pushes a minute')
  })
})

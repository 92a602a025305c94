// Escalation policies in the console: the form for the API, and who hears when.
import { describe, expect, test } from 'vitest'
import {
  draftOf,
  effectError,
  isComplete,
  NEW_ESCALATION,
  nextStep,
  type Step,
  timeError,
  toInput,
} from '../../console/src/on-call/escalations/draft.ts'
import { axisOf, lanesOf, minutesOf, stepWithTime } from '../../console/src/on-call/escalations/timeline.ts'

const STEPS: Step[] = [
  { after_seconds: 300, level: 'time-sensitive' },
  { after_seconds: 900, level: 'critical', repeat_seconds: 30, emails: ['ops@example.org'] },
  { after_seconds: 1800, callback_url: 'https://pager.example.org/hook?key=1', emails: ['ops@example.org'] },
]
const POLICY = { slug: 'night', name: 'Night', steps: STEPS, created_at: '', updated_at: '' }

describe('the form', () => {
  test('sends a policy as it was read', () => {
    expect(toInput(draftOf(POLICY))).toEqual({ slug: 'night', name: 'Night', steps: STEPS })
  })

  test('makes the slug from the name, and a next step ten minutes later', () => {
    const draft = { ...NEW_ESCALATION, name: 'Nobody wakes up' }
    expect(toInput(draft)).toEqual({
      slug: 'nobody-wakes-up',
      name: 'Nobody wakes up',
      steps: [{ after_seconds: 300, level: 'critical' }],
    })
    expect(nextStep(draft.steps).afterSeconds).toBe(900)
  })

  test('refuses times that do not rise, and steps that do nothing', () => {
    const draft = draftOf(POLICY)
    const [first, second] = draft.steps
    if (!first || !second) throw new Error('the policy has steps')
    expect(timeError([first, { ...second, afterSeconds: 300 }], 1)).toBe('Later than the step before.')
    expect(timeError([{ ...first, afterSeconds: 59 }], 0)).toBe('Between 1 minute and 3 hours.')
    expect(timeError(draft.steps, 1)).toBeUndefined()
    // To repeat more often is not enough for the API.
    const idle = { ...first, level: '' as const, repeat: '30' }
    expect(effectError(idle)).toBe('Choose a level, a recipient or a callback.')
    expect(isComplete(draft)).toBe(true)
    expect(isComplete({ ...draft, steps: [idle] })).toBe(false)
  })
})

describe('the timeline', () => {
  test('places steps by their times, but never so near that their numbers touch', () => {
    expect(axisOf(STEPS).map(Math.round)).toEqual([0, 14, 42, 83, 100])
    const crowded = [60, 120, 180, 240, 10_800].map((after_seconds) => ({ after_seconds }))
    const places = axisOf(crowded)
    for (const [index, place] of places.entries()) {
      if (index > 0) expect(place - (places[index - 1] ?? 0)).toBeGreaterThanOrEqual(14 - 1e-9)
    }
    expect(places.at(-1)).toBe(100)
    expect(minutesOf({ after_seconds: 90 })).toBe('1.5')
  })

  test('has a lane for the devices with their levels, and one for each recipient', () => {
    expect(lanesOf(STEPS, false)).toEqual([
      {
        name: 'Your devices',
        spans: [
          { from: 0, to: 1, level: undefined },
          { from: 1, to: 2, level: 'time-sensitive' },
          { from: 2, to: 4, level: 'critical' },
        ],
        marks: [],
      },
      { name: 'ops@example.org', spans: [], marks: [2, 3] },
      { name: 'pager.example.org', spans: [], marks: [3] },
    ])
    expect(lanesOf([{ after_seconds: 300, target: { groups: ['on-call'] } }], true)[1]).toEqual({
      name: 'on-call',
      spans: [{ from: 1, to: 2, level: undefined }],
      marks: [],
    })
  })

  test('says what each step does', () => {
    expect(STEPS.map(stepWithTime)).toEqual([
      'After 5 minutes: pushed again as “Time-sensitive”',
      'After 15 minutes: pushed again as “Critical”, then every 30 seconds; e-mail to ops@example.org',
      'After 30 minutes: pushed again; e-mail to ops@example.org; callback to pager.example.org',
    ])
  })
})

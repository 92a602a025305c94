// Who hears of an alert when: a lane for each device group, recipient or address, over an axis of minutes.
import { targetInWords } from '../../organizations/target.ts'
import { TEXTS } from '../../texts/base.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { durationInWords } from '../../ui/duration.ts'
import type { Step } from './draft.ts'

const words = ESCALATION_TEXTS

// `from` and `to` are places on the axis: 0 is the alert, 1 the first step, and so on; the last place is the end.
type LaneSpan = { from: number; to: number; level: Step['level'] }
export type Lane = { name: string; spans: LaneSpan[]; marks: number[] }

// In percent of the width. Steps are as far apart as their times, but never so near that their numbers touch.
const NEAREST = 14
const AFTER_LAST = 1.2

// The place of the alert, of each step, and of the end.
export function axisOf(steps: readonly Pick<Step, 'after_seconds'>[]): number[] {
  const end = (steps.at(-1)?.after_seconds ?? 0) * AFTER_LAST
  const ideal = [0, ...steps.map(({ after_seconds }) => (after_seconds / end) * 100), 100]
  const places: number[] = []
  for (const [index, place] of ideal.entries())
    places.push(index === 0 ? 0 : Math.max(place, (places[index - 1] ?? 0) + NEAREST))
  // From the end back, so that nothing lies beyond it.
  let limit = 100
  for (let index = places.length - 1; index > 0; index--) {
    places[index] = Math.min(places[index] ?? 0, limit)
    limit = (places[index] ?? 0) - NEAREST
  }
  return places
}

// "5" or "1.5": minutes after the alert.
export const minutesOf = ({ after_seconds }: Pick<Step, 'after_seconds'>): string =>
  String(Math.round(after_seconds / 6) / 10)

// The devices that got the alert come first, then each recipient in the order in which it hears.
export function lanesOf(steps: readonly Step[], isOrganization: boolean): Lane[] {
  const end = steps.length + 1
  const lanes = new Map<string, Lane>()
  const lane = (name: string): Lane => {
    const found = lanes.get(name) ?? { name, spans: [], marks: [] }
    lanes.set(name, found)
    return found
  }
  lane(isOrganization ? words.lanes.receivers : words.lanes.devices).spans.push(...levelSpans(steps))
  for (const [index, { emails, target, callback_url }] of steps.entries()) {
    if (target) lane(targetInWords(target)).spans.push({ from: index + 1, to: end, level: undefined })
    for (const address of emails ?? []) lane(address).marks.push(index + 1)
    if (callback_url) lane(hostOf(callback_url)).marks.push(index + 1)
  }
  return [...lanes.values()]
}

// A step without a level keeps the one before.
function levelSpans(steps: readonly Step[]): LaneSpan[] {
  const spans: LaneSpan[] = [{ from: 0, to: steps.length + 1, level: undefined }]
  for (const [index, { level }] of steps.entries()) {
    const last = spans.at(-1)
    if (!level || !last) continue
    last.to = index + 1
    spans.push({ from: index + 1, to: steps.length + 1, level })
  }
  return spans
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

// What a step does, such as "pushed again as Critical, then every 30 seconds; e-mail to ops@example.org".
export function stepInWords({ level, repeat_seconds, emails, target, callback_url }: Step): string {
  const every = repeat_seconds === undefined ? undefined : durationInWords(repeat_seconds)
  const parts = [
    words.pushedAgain(level && TEXTS.levels[level], every),
    emails && words.emailed(emails.join(', ')),
    target && words.alsoTo(targetInWords(target)),
    callback_url && words.called(hostOf(callback_url)),
  ]
  return parts.filter(Boolean).join('; ')
}

export const stepWithTime = (step: Step): string =>
  words.stepLine(durationInWords(step.after_seconds), stepInWords(step))

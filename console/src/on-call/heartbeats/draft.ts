// A heartbeat as a form edits it: from one that exists, for the API, and in words.
import type { HeartbeatInput, HeartbeatView } from '../../../../src/contract/heartbeats.ts'
import { type Repetition, repetitionOf, toAcknowledge } from '../../messages/repetition.ts'
import { EVERYONE, fromTarget, type TargetDraft, toTarget } from '../../organizations/target.ts'
import { isPatternComplete, type Pattern, zoneInWords } from '../../schedules/pattern.ts'
import { newTiming, recurrenceOf, type Timing, timingOf } from '../../schedules/timing.ts'
import { TEXTS } from '../../texts/base.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { SCHEDULE_TEXTS } from '../../texts/schedules.ts'
import { durationInWords } from '../../ui/duration.ts'
import { slugFor } from '../place.ts'

const words = HEARTBEAT_TEXTS.form

export type HeartbeatDraft = {
  name: string
  // Empty: made from the name.
  slug: string
  timing: 'every' | 'times'
  everySeconds: number | undefined
  // Used by `times`: pattern and time zone.
  times: Timing
  graceSeconds: number | undefined
  // Undefined: as long as the grace.
  maxRunSeconds: number | undefined
  level: HeartbeatView['level']
  // Undefined: the alert is pushed once.
  repetition: Repetition | undefined
  url: string
  hasWidget: boolean
  target: TargetDraft
  // Members without a field.
  kept: Pick<HeartbeatInput, 'tags'>
}

export const NEW_HEARTBEAT: HeartbeatDraft = {
  name: '',
  slug: '',
  timing: 'every',
  everySeconds: 3600,
  times: newTiming('repeat'),
  graceSeconds: 300,
  maxRunSeconds: undefined,
  level: 'time-sensitive',
  repetition: undefined,
  url: '',
  hasWidget: false,
  target: EVERYONE,
  kept: {},
}

export function draftOf(heartbeat: HeartbeatView): HeartbeatDraft {
  const { slug, name, every_seconds, cron, timezone, level, acknowledge, url, widget, target, tags } = heartbeat
  const hasTimes = cron !== undefined && timezone !== undefined
  return {
    name,
    slug,
    timing: hasTimes ? 'times' : 'every',
    everySeconds: every_seconds ?? NEW_HEARTBEAT.everySeconds,
    times: hasTimes ? timingOf({ recurrence: { cron, timezone }, send_at: '' }) : NEW_HEARTBEAT.times,
    graceSeconds: heartbeat.grace_seconds,
    maxRunSeconds: heartbeat.max_run_seconds,
    level,
    repetition: repetitionOf(acknowledge),
    url: url ?? '',
    hasWidget: widget,
    target: fromTarget(target ?? {}),
    kept: tags ? { tags } : {},
  }
}

// The longest slug of which the widget's, `hb-{slug}`, still is one.
const MOST_SLUG_CHARS = 125

export const slugOf = ({ slug, name }: HeartbeatDraft): string => slug.trim() || slugFor(name, MOST_SLUG_CHARS)

// The limits of the API.
const EVERY = { min: 60, max: 2_678_400 }
const GRACE = { min: 60, max: 604_800 }
const MAX_RUN = { min: 60, max: 2_678_400 }

const isWithin = (seconds: number | undefined, { min, max }: { min: number; max: number }): seconds is number =>
  seconds !== undefined && seconds >= min && seconds <= max

// What is wrong with a time, next to its field.
export const everyError = ({ timing, everySeconds }: HeartbeatDraft): string | undefined =>
  timing === 'every' && !isWithin(everySeconds, EVERY) ? words.everyRange : undefined

export const graceError = ({ graceSeconds }: HeartbeatDraft): string | undefined =>
  isWithin(graceSeconds, GRACE) ? undefined : words.graceRange

export const maxRunError = ({ maxRunSeconds }: HeartbeatDraft): string | undefined =>
  maxRunSeconds === undefined || isWithin(maxRunSeconds, MAX_RUN) ? undefined : words.everyRange

const hasTimes = (draft: HeartbeatDraft): boolean =>
  draft.timing === 'times' ? isPatternComplete(draft.times.pattern) : everyError(draft) === undefined

export const isComplete = (draft: HeartbeatDraft): boolean =>
  draft.name.trim() !== '' && slugOf(draft) !== '' && hasTimes(draft) && !graceError(draft) && !maxRunError(draft)

// Also for a heartbeat that exists: a POST with its slug replaces all settings, and keeps its address and its pings.
export function toInput(draft: HeartbeatDraft): HeartbeatInput {
  const { graceSeconds, maxRunSeconds, level, repetition, hasWidget, kept } = draft
  const target = toTarget(draft.target)
  const url = draft.url.trim()
  return {
    slug: slugOf(draft),
    name: draft.name.trim(),
    ...timingMembers(draft),
    grace_seconds: graceSeconds,
    ...(maxRunSeconds !== undefined && { max_run_seconds: maxRunSeconds }),
    level,
    ...(repetition && { acknowledge: toAcknowledge(repetition) }),
    ...(url && { url }),
    ...(hasWidget && { widget: true }),
    ...(target && { target }),
    ...kept,
  }
}

function timingMembers({ timing, everySeconds, times }: HeartbeatDraft): Partial<HeartbeatInput> {
  if (timing === 'every') return { every_seconds: everySeconds }
  const { cron, timezone } = recurrenceOf(times)
  return { cron, timezone }
}

// One or two sentences: what is expected, and what happens if it does not come.
export function draftInWords(draft: HeartbeatDraft): string {
  const { timing, everySeconds, times, graceSeconds, level, repetition } = draft
  if (!hasTimes(draft) || graceError(draft)) return words.incomplete
  const expected =
    timing === 'every'
      ? words.everySentence(durationInWords(everySeconds ?? 0))
      : words.timesSentence(seriesInWords(times.pattern, times.timezone))
  const grace = durationInWords(graceSeconds ?? 0)
  const alert = words.alertSentence({ grace, level: TEXTS.levels[level], repeats: repetition !== undefined })
  return `${expected} ${alert}`
}

const seriesInWords = (pattern: Pattern, zone: string): string => SCHEDULE_TEXTS.series(pattern, zoneInWords(zone))

// When a success of this heartbeat is expected.
export function expectedInWords(heartbeat: HeartbeatView): string {
  const { timing, everySeconds, times } = draftOf(heartbeat)
  return timing === 'every'
    ? HEARTBEAT_TEXTS.every(durationInWords(everySeconds ?? 0))
    : seriesInWords(times.pattern, times.timezone)
}

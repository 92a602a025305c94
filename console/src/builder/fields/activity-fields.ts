// The fields of an activity, by its template.

import type { ActivityContent, ActivityTemplate } from '../../../../src/domain/screens/activity-content.ts'
import type { Content } from './document.ts'
import {
  BOUNDS,
  BUTTONS,
  type ContentField,
  choice,
  color,
  flag,
  icon,
  LOOKS,
  number,
  rows,
  seconds,
  TREND,
  text,
  unix,
} from './field.ts'
import { columns, controls, objectsAt, series } from './rows.ts'

const dates = [unix('start_date'), unix('end_date')]

const steps = rows('steps', {
  source: columns('total_steps', { step_labels: '', step_weights: 1, step_rows: 1, step_colors: '' }),
  covers: ['total_steps', 'step_labels', 'step_weights', 'step_rows', 'step_colors'],
  fields: [text('step_labels'), number('step_weights'), number('step_rows'), color('step_colors')],
  most: 64,
})

const seriesRows = rows('series', {
  source: series,
  covers: ['value', 'units'],
  fields: [text('name'), number('value'), text('unit')],
  most: 10,
  next: () => ({ value: 0 }),
})

const thresholds = rows('thresholds', {
  source: objectsAt('thresholds'),
  fields: [number('value'), text('label'), color('color')],
  most: 5,
  next: (last) => ({ value: last?.value ?? 0 }),
})

const tiles = rows('tiles', {
  source: objectsAt('tiles'),
  fields: [text('label'), text('value'), text('unit'), icon(), color('color'), TREND, text('url_action.url')],
  most: 4,
})

const lines = rows('lines', {
  source: objectsAt('lines'),
  fields: [text('text'), unix('at'), choice('level', ['info', 'warn', 'error'])],
  most: 20,
})

const CONTROL_NAMES = [
  'previous',
  'play_pause',
  'play',
  'pause',
  'next',
  'stop',
  'favorite',
  'volume_down',
  'volume_up',
] as const

const METHOD = choice('method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])

const controlRows = rows('controls', {
  source: controls,
  fields: [choice('control', CONTROL_NAMES), text('url'), METHOD],
  most: CONTROL_NAMES.length,
})

const extraControls = rows('controls.extra', {
  source: objectsAt('controls.extra'),
  fields: [icon(), text('title'), text('url'), METHOD],
  most: 3,
})

const details = rows('details', {
  source: objectsAt('details'),
  fields: [text('label'), text('value')],
  most: 2,
})

const options = rows('options', {
  source: objectsAt('options'),
  fields: [
    text('title'),
    text('id'),
    choice('style', ['primary', 'secondary', 'destructive']),
    icon(),
    text('url'),
    METHOD,
  ],
  most: 4,
})

const ACTIVITY_FIELDS: Record<ActivityTemplate, (content: ActivityContent) => ContentField[]> = {
  generic: () => [number('progress'), ...dates, flag('live_progress')],
  countdown: () => [
    ...dates,
    seconds('warning_threshold'),
    flag('alarm'),
    seconds('snooze_seconds'),
    text('completion_message'),
  ],
  steps: () => [number('current_step'), steps],
  alert: () => [choice('severity', ['critical', 'warning', 'info']), text('severity_label'), unix('fired_at')],
  gauge: () => [number('value'), text('unit'), ...BOUNDS],
  timeline: ({ value }) => [
    text('unit'),
    number('decimals'),
    choice('scale', ['linear', 'logarithmic']),
    choice('primary_series', Object.keys(typeof value === 'object' ? value : {})),
    flag('smoothing'),
    seriesRows,
    thresholds,
  ],
  board: () => [tiles],
  log: () => [lines],
  media: () => [
    text('media_title'),
    choice('playback_state', ['playing', 'paused', 'stopped', 'buffering']),
    seconds('position_seconds'),
    seconds('duration_seconds'),
    number('volume'),
    flag('favorite'),
    controlRows,
    extraControls,
  ],
  approval: ({ options: asked }) => [
    text('source'),
    unix('end_date'),
    choice('on_expire', ['none', ...optionsOf(asked).map(({ id }) => id)], titlesOf(asked)),
    options,
    details,
  ],
}

type Option = { id: string; title: string }

// Content that is being edited may have any shape.
const optionsOf = (asked: unknown): Option[] => (Array.isArray(asked) ? asked.filter((option) => option?.id) : [])

const titlesOf = (asked: unknown): Record<string, string> =>
  Object.fromEntries(optionsOf(asked).map(({ id, title }) => [id, title]))

export function activityFields(content: Content): ContentField[] {
  const own = ACTIVITY_FIELDS[content.template as ActivityTemplate]?.(content) ?? []
  return [text('state'), text('subtitle'), ...own, icon(), color('accent_color'), text('compact_label'), LOOKS, BUTTONS]
}

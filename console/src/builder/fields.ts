// The members of content that have a field in the form. Lists and rarely used members are edited as JSON.
import type { WidgetTemplate } from '../../../src/contract/widget.ts'
import type { ActivityTemplate } from '../cards/activity/content.ts'

export type ContentField =
  | { member: string; kind: 'text' | 'number' | 'color' | 'flag' }
  // RFC 3339 in widgets, epoch seconds in activities.
  | { member: string; kind: 'moment' | 'unix-moment' }
  | { member: string; kind: 'choice'; options: readonly string[] }

const text = (member: string): ContentField => ({ member, kind: 'text' })
const number = (member: string): ContentField => ({ member, kind: 'number' })
const moment = (member: string): ContentField => ({ member, kind: 'moment' })
const unix = (member: string): ContentField => ({ member, kind: 'unix-moment' })
const flag = (member: string): ContentField => ({ member, kind: 'flag' })
const choice = (member: string, options: readonly string[]): ContentField => ({ member, kind: 'choice', options })
const COLOR: ContentField = { member: 'accent_color', kind: 'color' }

const trend = choice('trend', ['up', 'down', 'flat'])
const bounds = [number('min_value'), number('max_value')]

const WIDGET_FIELDS: Record<WidgetTemplate, ContentField[]> = {
  value: [number('value'), text('unit'), trend],
  progress: [number('value')],
  status: [],
  gauge: [number('value'), text('unit'), ...bounds],
  stat_list: [],
  trend: [number('value'), text('unit'), trend],
  countdown: [moment('start_date'), moment('end_date'), text('expired_text')],
  battery: [],
  schedule: [text('unit')],
  flow: [text('unit')],
}

const dates = [unix('start_date'), unix('end_date')]

const ACTIVITY_FIELDS: Record<ActivityTemplate, ContentField[]> = {
  generic: [number('progress'), ...dates, flag('live_progress')],
  countdown: [...dates, number('warning_threshold'), flag('alarm'), number('snooze_seconds')],
  steps: [number('current_step'), number('total_steps')],
  alert: [choice('severity', ['critical', 'warning', 'info']), text('severity_label')],
  gauge: [number('value'), text('unit'), ...bounds],
  timeline: [text('unit'), choice('scale', ['linear', 'logarithmic']), flag('smoothing')],
  board: [],
  log: [],
  media: [
    text('media_title'),
    choice('playback_state', ['playing', 'paused', 'stopped', 'buffering']),
    number('position_seconds'),
    number('duration_seconds'),
  ],
  approval: [text('source'), unix('end_date'), text('on_expire')],
}

export function widgetFields({ template }: { template?: unknown }): ContentField[] {
  const own = WIDGET_FIELDS[template as WidgetTemplate] ?? []
  return [
    ...own,
    text('label'),
    text('subtitle'),
    text('icon'),
    COLOR,
    choice('severity', ['info', 'warning', 'critical', 'success']),
  ]
}

export function activityFields({ template }: { template?: unknown }): ContentField[] {
  const own = ACTIVITY_FIELDS[template as ActivityTemplate] ?? []
  return [text('state'), text('subtitle'), ...own, text('icon'), COLOR, text('compact_label')]
}

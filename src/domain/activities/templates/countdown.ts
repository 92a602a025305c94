// A countdown: warns before the end, if asked to, and ends itself.
import { Type } from 'typebox'
import { LIMITS } from '../../../contract/limits.ts'
import { fromUnixSeconds, type Instant } from '../../instant.ts'
import { type ActivityContent, at, UnixSeconds, without } from './content.ts'
import { DATE_FIELDS, dateRules, withDates } from './dates.ts'
import { defineTemplate, type FieldsOf } from './template.ts'

const FIELDS = {
  ...DATE_FIELDS,
  warning_threshold: Type.Optional(Type.Integer({ minimum: 0, description: 'seconds before the end' })),
  alarm: Type.Optional(Type.Boolean()),
  snooze_seconds: Type.Optional(
    Type.Integer({ minimum: LIMITS.activity.snoozeSeconds.min, maximum: LIMITS.activity.snoozeSeconds.max }),
  ),
  // Set by the server.
  snoozed_until: Type.Optional(UnixSeconds),
  warning_pushed: Type.Optional(Type.Boolean()),
}
type Countdown = FieldsOf<typeof FIELDS>

export const countdown = defineTemplate(FIELDS, {
  required: [],
  rules: (content, change) => {
    const isEndless = content.end_date === undefined && content.duration === undefined
    const missing = { location: at('end_date'), message: 'or duration is required' }
    return [...(isEndless ? [missing] : []), ...dateRules(content, change)]
  },
  // A changed end is a new countdown, which warns again.
  derive: (content, change) => {
    const dated = withDates(content, change)
    return dated.end_date === change.before.end_date ? dated : without(dated, 'warning_pushed', 'snoozed_until')
  },
  timer: {
    dueAt: (content) => warningAt(content) ?? endsAt(content),
    fire: (content, now) => {
      if (now < endsAt(content)) return { content: warned(content), isOver: false }
      return { content: { ...content, state: content.completion_message ?? 'Completed', progress: 1 }, isOver: true }
    },
  },
  end: (content) => without(content, 'alarm', 'snoozed_until', 'warning_pushed'),
})

export function snoozed(content: ActivityContent): ActivityContent {
  const { end_date = 0, snooze_seconds = LIMITS.activity.snoozeSeconds.default } = content as Countdown
  const until = end_date + snooze_seconds
  return { ...without(content, 'warning_pushed'), end_date: until, snoozed_until: until }
}

const endsAt = ({ end_date = 0 }: Countdown): Instant => fromUnixSeconds(end_date)

function warningAt({ end_date = 0, warning_threshold = 0, warning_pushed }: Countdown): Instant | undefined {
  return warning_threshold === 0 || warning_pushed ? undefined : fromUnixSeconds(end_date - warning_threshold)
}

const warned = (content: Countdown): ActivityContent => ({ ...content, accent_color: 'orange', warning_pushed: true })

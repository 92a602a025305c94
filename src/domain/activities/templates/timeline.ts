// Values over time. The history of each series is stored beside the content, see timeline-history.ts.
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { OneOf, Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { colorViolations } from '../../color.ts'
import { notAheadRule } from './alert.ts'
import { Color } from './common.ts'
import { at, UnixSeconds } from './content.ts'
import { defineTemplate, type FieldsOf, giveUp } from './template.ts'

const Threshold = Type.Object({
  value: Type.Number(),
  color: Type.Optional(Color),
  label: Type.Optional(Text(LIMITS.activity.maxThresholdLabelChars)),
})
const Point = Type.Object({ timestamp: UnixSeconds, value: Type.Number() })

const FIELDS = {
  value: Type.Optional(bySeries(Type.Number(), 1)),
  units: Type.Optional(bySeries(Text(LIMITS.activity.maxUnitChars), 0)),
  unit: Type.Optional(Text(LIMITS.activity.maxUnitChars)),
  scale: Type.Optional(OneOf(['linear', 'logarithmic'])),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.activity.maxDecimals })),
  smoothing: Type.Optional(Type.Boolean()),
  thresholds: Type.Optional(Type.Array(Threshold, { maxItems: LIMITS.activity.maxThresholds })),
  primary_series: Type.Optional(Text(LIMITS.activity.maxSeriesChars)),
  // Accepted once, as the start; later the server writes it.
  history: Type.Optional(bySeries(Type.Array(Point, { maxItems: LIMITS.activity.maxPoints }), 0)),
}
type Timeline = FieldsOf<typeof FIELDS>

export const timeline = defineTemplate(FIELDS, {
  required: ['value'],
  rules: (content, { sent, now }) => [
    ...unitsRule(content),
    ...(content.thresholds ?? []).flatMap(({ color }, index) =>
      colorViolations(at(`thresholds[${index}].color`), color),
    ),
    ...Object.entries(sent.history ?? {}).flatMap(([series, points]) =>
      points.flatMap(({ timestamp }, index) => notAheadRule(`history.${series}[${index}].timestamp`, timestamp, now)),
    ),
  ],
  reductions: [giveUp('thresholds'), giveUp('units')],
})

// Not in the schema, because a record's pattern cannot report that a name is too long.
function bySeries<Entry extends TSchema>(entry: Entry, minProperties: number): TUnsafe<Record<string, Static<Entry>>> {
  return Type.Unsafe<Record<string, Static<Entry>>>({
    type: 'object',
    minProperties,
    maxProperties: LIMITS.activity.maxSeries,
    propertyNames: { type: 'string', minLength: 1, maxLength: LIMITS.activity.maxSeriesChars },
    additionalProperties: entry,
  })
}

function unitsRule({ value = {}, units = {} }: Timeline): Violation[] {
  return Object.keys(units)
    .filter((series) => !Object.hasOwn(value, series))
    .map((series) => ({ location: at(`units.${series}`), message: 'must be named like a series of value' }))
}

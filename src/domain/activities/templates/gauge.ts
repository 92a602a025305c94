// One value between two bounds.
import { Type } from 'typebox'
import { Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { at } from './content.ts'
import { defineTemplate, type FieldsOf } from './template.ts'

const FIELDS = {
  value: Type.Optional(Type.Number()),
  min_value: Type.Optional(Type.Number()),
  max_value: Type.Optional(Type.Number()),
  unit: Type.Optional(Text(LIMITS.activity.maxUnitChars)),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.activity.maxDecimals })),
}
type Gauge = FieldsOf<typeof FIELDS>

export const gauge = defineTemplate(FIELDS, {
  required: ['value', 'min_value', 'max_value'],
  rules: boundsRule,
  derive: (content) => ({ ...content, progress: fraction(content) }),
})

function boundsRule({ value = 0, min_value: min = 0, max_value: max = 0 }: Gauge): Violation[] {
  if (min >= max) return [{ location: at('min_value'), message: `must be less than max_value ${max}` }]
  if (value >= min && value <= max) return []
  return [{ location: at('value'), message: `must be from min_value ${min} to max_value ${max}` }]
}

// Halved, because the difference of two huge bounds can overflow.
function fraction({ value = 0, min_value: min = 0, max_value: max = 0 }: Gauge): number {
  return Math.min((value / 2 - min / 2) / (max / 2 - min / 2), 1)
}

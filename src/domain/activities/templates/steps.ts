// A run through steps that are known beforehand, such as a build.
import { Type } from 'typebox'
import { Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { colorViolations } from '../../color.ts'
import { Color } from './common.ts'
import { type ActivityContent, at, without } from './content.ts'
import { LIVE_FIELDS, liveRules, withDates, withoutLiveProgress } from './dates.ts'
import { IMAGE_FIELDS, imageRules } from './image.ts'
import { type ContentChange, defineTemplate, type FieldsOf, giveUp } from './template.ts'

const FIELDS = {
  total_steps: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.activity.maxSteps })),
  current_step: Type.Optional(Type.Integer({ minimum: 0 })),
  step_rows: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: LIMITS.activity.maxStepRows }))),
  step_labels: Type.Optional(Type.Array(Text(LIMITS.activity.maxStepLabelChars))),
  step_colors: Type.Optional(Type.Array(Color)),
  step_weights: Type.Optional(Type.Array(Type.Number({ exclusiveMinimum: 0 }))),
  ...LIVE_FIELDS,
  ...IMAGE_FIELDS,
}
type Steps = FieldsOf<typeof FIELDS>

const LISTS = ['step_rows', 'step_labels', 'step_colors', 'step_weights'] as const

export const steps = defineTemplate(FIELDS, {
  required: ['total_steps', 'current_step'],
  rules: (content, change) => [
    ...currentStepRule(content),
    ...listRules(withoutOutgrown(content, change)),
    ...liveRules(content, change),
    ...imageRules(content),
  ],
  derive: (content, change) => withDates(withoutOutgrown(content, change), change),
  end: withoutLiveProgress,
  reductions: [giveUp('step_colors'), giveUp('step_weights'), giveUp('step_labels'), giveUp('step_rows')],
})

function currentStepRule({ current_step = 0, total_steps = 0 }: Steps): Violation[] {
  if (current_step <= total_steps) return []
  return [{ location: at('current_step'), message: `must be at most total_steps ${total_steps}` }]
}

function listRules(content: Steps): Violation[] {
  const violations = LISTS.flatMap((list) => {
    const length = content[list]?.length ?? content.total_steps
    if (length === content.total_steps) return []
    return [{ location: at(list), message: `must have as many entries as total_steps ${content.total_steps}` }]
  })
  const colors = content.step_colors ?? []
  return [...violations, ...colors.flatMap((color, index) => colorViolations(at(`step_colors[${index}]`), color))]
}

// Lists per step do not apply to a run with another number of steps.
function withoutOutgrown<Kept extends Steps>(content: Kept, { sent }: ContentChange<Steps>): Kept {
  const outgrown = LISTS.filter((list) => !(list in sent) && content[list]?.length !== content.total_steps)
  return without(content, ...outgrown) as ActivityContent as Kept
}

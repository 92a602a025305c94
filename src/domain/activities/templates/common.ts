// The members that every template has, and the rules for them.
import { type Static, type TObject, Type } from 'typebox'
import { SLOT_ACTION } from '../../../contract/actions.ts'
import { Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { ACTION_SLOTS } from '../../../contract/widgets.ts'
import { actionViolations, urlViolations, withUpperCaseMethod } from '../../action-rules.ts'
import { colorViolations } from '../../color.ts'
import { type ActivityContent, at } from './content.ts'

export const Icon = Text(LIMITS.activity.maxIconChars, { description: 'a system symbol, or mdi: and a name' })
export const Color = Type.String({ description: 'a colour name such as teal, or 6 or 8 hex digits; "" unsets it' })
const Url = Text(LIMITS.url.maxChars)

// Additional members are kept, as in all content.
export const Action = Type.Object(SLOT_ACTION)

export type Action = Static<typeof Action>

export const COMMON_FIELDS = {
  template: Type.Optional(Type.String()),
  state: Type.Optional(Text(LIMITS.activity.maxTextChars)),
  subtitle: Type.Optional(Text(LIMITS.activity.maxTextChars)),
  icon: Type.Optional(Icon),
  progress: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  remaining_time: Type.Optional(Type.Integer({ minimum: 0 })),
  accent_color: Type.Optional(Color),
  background_color: Type.Optional(Color),
  text_color: Type.Optional(Color),
  compact_label: Type.Optional(Text(LIMITS.activity.maxCompactChars)),
  completion_message: Type.Optional(Text(LIMITS.activity.maxCompletionChars)),
  url: Type.Optional(Url),
  secondary_url: Type.Optional(Url),
  tap_action: Type.Optional(Action),
  url_action: Type.Optional(Action),
  secondary_url_action: Type.Optional(Action),
}
export type CommonFields = Static<TObject<typeof COMMON_FIELDS>>

const COLORS = ['accent_color', 'background_color', 'text_color'] as const
const URLS = ['url', 'secondary_url'] as const

export function commonRules(content: CommonFields): Violation[] {
  const violations: Violation[] = []
  for (const name of COLORS) violations.push(...colorViolations(at(name), content[name]))
  for (const name of URLS) {
    const url = content[name]
    if (url !== undefined) violations.push(...urlViolations(at(name), url))
  }
  for (const slot of ACTION_SLOTS) {
    const action = content[slot]
    if (action) violations.push(...actionViolations(at(slot), action))
  }
  return violations
}

// Runs before the shape is checked.
export function withUpperCaseMethods(content: ActivityContent): ActivityContent {
  const slots = ACTION_SLOTS.flatMap((slot) => {
    const action = content[slot] as Action | undefined
    return typeof action?.method === 'string' ? [[slot, withUpperCaseMethod(action)]] : []
  })
  return slots.length === 0 ? content : { ...content, ...Object.fromEntries(slots) }
}

// White space around it does not count.
export const withTrimmedLabel = (sent: ActivityContent): ActivityContent =>
  typeof sent.compact_label === 'string' ? { ...sent, compact_label: sent.compact_label.trim() } : sent

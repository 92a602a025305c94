// A question with options. The first answer ends it, and so does its end date.
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { ACTION_MEMBERS } from '../../../contract/actions.ts'
import { OneOf, Text } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Violation } from '../../../contract/problems.ts'
import { actionViolations, requestViolations, withUpperCaseMethod } from '../../action-rules.ts'
import type { UserId } from '../../caller.ts'
import { fromUnixSeconds, type Instant, toUnixSeconds } from '../../instant.ts'
import { type ActivityContent, at, without } from './content.ts'
import { DATE_FIELDS, dateRules } from './dates.ts'
import { defineTemplate, type FieldsOf, giveUp, type Reduction } from './template.ts'

const Option = Type.Object({
  id: Type.String({
    pattern: `^[a-zA-Z0-9][a-zA-Z0-9_-]{0,${LIMITS.activity.maxOptionIdChars - 1}}$`,
    description: `a slug of at most ${LIMITS.activity.maxOptionIdChars} characters`,
  }),
  title: Text(LIMITS.activity.maxOptionTitleChars, { minLength: 1 }),
  style: Type.Optional(OneOf(['primary', 'secondary', 'destructive'])),
  icon: Type.Optional(ACTION_MEMBERS.icon),
  url: Type.Optional(ACTION_MEMBERS.url),
  method: Type.Optional(ACTION_MEMBERS.method),
  headers: Type.Optional(ACTION_MEMBERS.headers),
  body: Type.Optional(ACTION_MEMBERS.body),
})
const Detail = Type.Object({
  label: Text(LIMITS.activity.maxDetailLabelChars),
  value: Text(LIMITS.activity.maxDetailValueChars),
})

const FIELDS = {
  options: Type.Optional(
    Type.Array(Option, { minItems: LIMITS.activity.options.min, maxItems: LIMITS.activity.options.max }),
  ),
  details: Type.Optional(Type.Array(Detail, { maxItems: LIMITS.activity.maxDetails })),
  source: Type.Optional(Text(LIMITS.activity.maxSourceChars)),
  end_date: DATE_FIELDS.end_date,
  on_expire: Type.Optional(Type.String({ description: 'the id of an option, or none' })),
  // Set by the server.
  // `user_id`: who of an organization has answered.
  answer: Type.Optional(
    Type.Object({
      option: Type.String(),
      by: OneOf(['user', 'expired']),
      at: Type.Integer(),
      user_id: Type.Optional(Type.String()),
    }),
  ),
  answer_round: Type.Optional(Type.Integer()),
}
type Approval = FieldsOf<typeof FIELDS>
type Option = Static<typeof Option>
export type ApprovalChoice = NonNullable<Approval['answer']>

export const approval = defineTemplate(FIELDS, {
  required: ['options'],
  rules: (content, change) => [...optionRules(content), ...expiryRule(content), ...dateRules(content, change)],
  derive: (content, { before }) => {
    const options = content.options?.map(withUpperCaseMethod)
    const isSameQuestion = JSON.stringify(options) === JSON.stringify(before.options)
    return isSameQuestion ? { ...content, options } : newRound({ ...content, options })
  },
  timer: {
    dueAt: ({ end_date, answer }) => (end_date === undefined || answer ? undefined : fromUnixSeconds(end_date)),
    fire: (content, now) => ({ content: expired(content, now), isOver: true }),
  },
  reductions: [
    withOptions(({ headers: _, body: __, ...option }) => option),
    giveUp('details'),
    withOptions(({ id, title, style, icon }) => ({ id, title, style, icon })),
    giveUp('source'),
  ],
})

export function newRound(content: ActivityContent): ActivityContent {
  const { answer_round: round = 0 } = content as Approval
  return { ...without(content, 'answer'), answer_round: round + 1 }
}

// Whether starting an answered approval again asks a new question. A retry or a refresh that crosses the answer does not: it
// sends the same question. `answer: null` asks the same question again on purpose.
export function asksAgain(before: ActivityContent, after: ActivityContent, sent: ActivityContent = {}): boolean {
  if (!questionOf(after)?.answer) return false
  return sent.answer === null || QUESTION.some((member) => !isDeepStrictEqual(before[member], after[member]))
}

// What a person decides on.
const QUESTION = ['options', 'state', 'details'] as const

export type Question = { options: Option[]; round: number; answer?: ApprovalChoice }

// Undefined if the content is not an approval.
export function questionOf(content: ActivityContent): Question | undefined {
  if (content.template !== 'approval') return undefined
  const { options = [], answer_round: round = 1, answer } = content as Approval
  return { options, round, answer }
}

// `userId`: who of an organization answers; undefined for the approval of a person.
export function answered(
  content: ActivityContent,
  { option, userId }: { option: string; userId: UserId | undefined },
  now: Instant,
): ActivityContent {
  return { ...content, answer: { option, by: 'user', at: toUnixSeconds(now), ...(userId && { user_id: userId }) } }
}

function expired(content: Approval, now: Instant): ActivityContent {
  const { on_expire: option = 'none' } = content
  return option === 'none' ? content : { ...content, answer: { option, by: 'expired', at: toUnixSeconds(now) } }
}

function optionRules({ options = [] }: Approval): Violation[] {
  return options.flatMap((option, index) => {
    const location = at(`options[${index}]`)
    const { id, icon, url, ...rest } = option
    const violations: Violation[] =
      url === undefined ? requestViolations(location, rest, 'a url') : actionViolations(location, { url, ...rest })
    if (options.findIndex((other) => other.id === id) !== index) {
      violations.push({ location: `${location}.id`, message: 'must not be there twice' })
    }
    if (options.length > 2 && !icon)
      violations.push({ location: `${location}.icon`, message: 'is required with 3 or more options' })
    return violations
  })
}

function expiryRule({ options = [], on_expire: option }: Approval): Violation[] {
  if (option === undefined || option === 'none' || options.some(({ id }) => id === option)) return []
  return [{ location: at('on_expire'), message: `must be none or one of ${options.map(({ id }) => id).join(', ')}` }]
}

function withOptions(reduce: (option: Option) => Option): Reduction<Approval> {
  return { member: 'options', reduce: (content) => ({ ...content, options: content.options?.map(reduce) }) }
}

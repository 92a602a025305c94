// The newest lines of a log. More lines are stored beside the content.
import { Type } from 'typebox'
import { NonBlankText, OneOf } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { UnixSeconds } from './content.ts'
import { defineTemplate, type FieldsOf, type Reduction } from './template.ts'

const Line = Type.Object({
  text: NonBlankText(LIMITS.activity.maxLineChars),
  at: Type.Optional(UnixSeconds),
  level: Type.Optional(OneOf(['info', 'warn', 'error'])),
})

const FIELDS = { lines: Type.Optional(Type.Array(Line, { minItems: 1, maxItems: LIMITS.activity.maxLines })) }
type LogContent = FieldsOf<typeof FIELDS>
export type LogLine = NonNullable<LogContent['lines']>[number]

export const log = defineTemplate(FIELDS, {
  required: ['lines'],
  reductions: [10, 5, 2, 1].map(newestLines),
})

function newestLines(count: number): Reduction<LogContent> {
  return {
    member: 'lines',
    reduce: ({ lines = [], ...content }) =>
      lines.length > count ? { ...content, lines: lines.slice(0, count) } : undefined,
  }
}

// Finds the lines that were prepended since the last update: clients send all lines they show, newest first.
export function newLines(lines: readonly LogLine[], before: readonly LogLine[]): readonly LogLine[] {
  const known = before.map((line) => JSON.stringify(line))
  const shown = lines.map((line) => JSON.stringify(line))
  const count = shown.findIndex((_, index) => shown.slice(index).every((line, place) => line === known[place]))
  return count === -1 ? lines : lines.slice(0, count)
}

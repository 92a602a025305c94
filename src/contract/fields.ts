// The small schemas that others are made of.
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { LIMITS } from './limits.ts'

export const SLUG_PATTERN = '^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$'

export const Slug = Type.String({
  pattern: SLUG_PATTERN,
  description: 'letters, digits, hyphens and underscores, the first a letter or digit, at most 128 characters',
  examples: ['office-temperature'],
})

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'an RFC 3339 timestamp such as 2026-11-15T08:30:00Z',
})

// Text with a bound in code points; `nonBlank` also refuses text of spaces only.
export function Text(maxLength: number, options: { minLength?: number; description?: string } = {}) {
  return Type.String({ maxLength, ...options })
}

export function NonBlankText(maxLength: number) {
  return Type.String({ maxLength, pattern: '\\S', description: 'text that is not blank' })
}

// A string of a closed list. One schema node, so that a wrong value gives one clear violation.
export function OneOf<const Value extends string>(values: readonly Value[], description?: string): TUnsafe<Value> {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], ...(description && { description }) })
}

// A pattern and not an enum, so that the violation does not offer "" as a choice.
export function OneOfOrUnset<const Value extends string>(values: readonly Value[]): TUnsafe<Value | ''> {
  return Type.Unsafe<Value | ''>({
    type: 'string',
    pattern: `^(?:${values.join('|')})?$`,
    description: `one of ${values.join(', ')}`,
  })
}

// The same schema with `null` allowed, again as one node.
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const node = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [node.type, 'null'],
    ...(node.enum && { enum: [...node.enum, null] }),
  })
}

// ?wait: how long a request may be held.
export function Wait(description: string) {
  return Type.Object({
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.longestWaitSeconds, description })),
  })
}

export const closed = { additionalProperties: false } as const

export const Cursor = Type.String({ minLength: 1, maxLength: 512 })
export const Limit = Type.Integer({ minimum: 1, maximum: LIMITS.pageItems, default: LIMITS.pageItemsDefault })

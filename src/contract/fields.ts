// Building blocks that the schemas of all nouns share. `title` names a schema in openapi.json.
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { LIMITS } from './limits.ts'

export const SLUG_PATTERN = '^[a-zA-Z0-9][a-zA-Z0-9_-]{0,127}$'

export const Slug = Type.String({
  title: 'Slug',
  pattern: SLUG_PATTERN,
  description: 'letters, digits, hyphens and underscores, the first a letter or digit, at most 128 characters',
  examples: ['office-temperature'],
})

export const Timestamp = Type.String({
  title: 'Timestamp',
  format: 'date-time',
  description: 'an RFC 3339 timestamp such as 2026-11-15T08:30:00Z',
  examples: ['2026-11-15T08:30:00Z'],
})

// `maxLength` counts code points.
export function Text(maxLength: number, options: { minLength?: number; description?: string } = {}) {
  return Type.String({ maxLength, ...options })
}

export function NonBlankText(maxLength: number) {
  return Type.String({ maxLength, pattern: '\\S', description: 'text that is not blank' })
}

// A string enum as one schema node: a union of literals would report a violation per literal.
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

// Allows `null` besides, again as one schema node.
export function Nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const node = schema as { type?: string | string[]; enum?: unknown[] }
  if (Array.isArray(node.type)) return schema as unknown as TUnsafe<Static<Schema> | null>
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [node.type, 'null'],
    ...(node.enum && { enum: [...node.enum, null] }),
  })
}

// ?wait: long polling.
export function Wait(description: string) {
  return Type.Object({
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.wait.maxSeconds, description })),
  })
}

export const closed = { additionalProperties: false } as const

export const Cursor = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The next_cursor of the previous page.',
})
export const Limit = Type.Integer({
  minimum: LIMITS.page.items.min,
  maximum: LIMITS.page.items.max,
  default: LIMITS.page.items.default,
  description: 'The largest number of items in the page.',
})

// All items at once. Its title is that of an item and `List`.
export function List<Item extends TSchema & { title?: string }>(item: Item) {
  return Type.Object({ items: Type.Array(item) }, { title: `${item.title}List` })
}

export function Page<Item extends TSchema>(title: string, item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      next_cursor: Type.Optional(Type.String({ description: 'Send it as the cursor of the next page.' })),
      has_more: Type.Boolean(),
    },
    { title },
  )
}

// Ids are branded types: the compiler refuses the id of one noun where another's is wanted. domain takes the types from here, so
// a validated parameter needs no cast.

// The upper bound excludes integers that no 64-bit column holds, such as 1e300.
const integerId = (description: string) => ({
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
})

export type UserId = string & { readonly of: 'user' }

export type NotificationId = number & { readonly of: 'notification' }
export const NotificationId = Type.Unsafe<NotificationId>(integerId('The id of a notification.'))

export type ScheduleId = number & { readonly of: 'schedule' }
export const ScheduleId = Type.Unsafe<ScheduleId>(integerId('The id of a schedule.'))

export type DeviceId = string & { readonly of: 'device' }
export const DeviceId = Type.Unsafe<DeviceId>({
  type: 'string',
  pattern: `^[^\\p{C}\\p{Zl}\\p{Zp}/]{1,${LIMITS.device.maxIdChars}}$`,
  description: `1 to ${LIMITS.device.maxIdChars} printable characters without a slash`,
  examples: ['7F3C0A51-phone'],
})

// What an account has sent, day by day.
import { type Static, Type } from 'typebox'
import { LIMITS } from '../limits.ts'

export const UsageQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.dailyCounts.keptDays,
      default: LIMITS.dailyCounts.shownDays,
      description: 'how many days, today included (UTC)',
    }),
  ),
})
export type UsageQuery = Static<typeof UsageQuery>

const count = Type.Integer()

const DayUsage = Type.Object(
  {
    day: Type.String({ format: 'date', examples: ['2026-11-15'] }),
    sent: count,
    muted: Type.Integer({ description: 'stored and not pushed, because the person has muted it; among `sent`' }),
    refused: count,
  },
  { title: 'DayUsage' },
)

const SourceUsage = Type.Object(
  {
    source: Type.Optional(Type.String({ description: 'Absent: notifications without one, and of rare sources.' })),
    sent: count,
    by_day: Type.Array(count, { description: 'one number for each of `days`' }),
  },
  { title: 'SourceUsage' },
)

const KeyUsage = Type.Object(
  {
    key_id: Type.Optional(Type.String({ description: 'Absent: sent by the person. The key may be deleted.' })),
    sent: count,
    muted: count,
    refused: Type.Array(Type.Object({ code: Type.String(), count }, { title: 'RefusalCount' })),
  },
  { title: 'KeyUsage' },
)

export const UsageView = Type.Object(
  {
    days: Type.Array(DayUsage, { description: 'oldest first, without gaps' }),
    sources: Type.Array(SourceUsage, { description: 'most first' }),
    keys: Type.Array(KeyUsage, { description: 'most first' }),
  },
  { title: 'Usage' },
)
export type UsageView = Static<typeof UsageView>

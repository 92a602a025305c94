// What an account has sent, day by day, and what its devices have taken.
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
    held: Type.Integer({ description: 'stored and not pushed, because of quiet hours or a storm; among `sent`' }),
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
    held: count,
    refused: Type.Array(Type.Object({ code: Type.String(), count }, { title: 'RefusalCount' })),
  },
  { title: 'KeyUsage' },
)

const DeviceUsage = Type.Object(
  {
    device_id: Type.String(),
    accepted: Type.Integer({
      description: 'pushes that the device or its push service has accepted, repeats included',
    }),
    refused: Type.Integer({ description: 'pushes that failed for good' }),
    not_connected: Type.Integer({ description: 'not pushed: the device has no push channel and was not connected' }),
  },
  { title: 'DeviceUsage' },
)

export const UsageView = Type.Object(
  {
    days: Type.Array(DayUsage, { description: 'oldest first, without gaps' }),
    sources: Type.Array(SourceUsage, { description: 'most first' }),
    keys: Type.Array(KeyUsage, { description: 'most first' }),
    devices: Type.Array(DeviceUsage, { description: 'the devices that were sent to and are still registered' }),
  },
  { title: 'Usage' },
)
export type UsageView = Static<typeof UsageView>

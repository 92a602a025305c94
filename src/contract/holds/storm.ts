// Storm shields: how many pushes a minute a key or a hook may cause.
import { type Static, Type } from 'typebox'
import { closed, Nullable } from '../fields.ts'
import { LIMITS } from '../limits.ts'

const { min, max } = LIMITS.storm.pushesPerMinute

export const StormShield = Type.Object(
  { pushes_per_minute: Type.Integer({ minimum: min, maximum: max }) },
  {
    ...closed,
    title: 'StormShield',
    description:
      'Messages beyond it within a minute are stored and not pushed (`delivery` `none`, `reason` `storm`), and cost no quota; a push at most once a minute tells how many.',
  },
)
export type StormShield = Static<typeof StormShield>

// null: no limit.
export const StormShieldInput = Nullable(StormShield)

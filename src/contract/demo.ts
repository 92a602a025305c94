// POST /demo/run: a scripted minute on the caller's own devices.
import { type Static, Type } from 'typebox'
import { closed, OneOf } from './fields.ts'

export const DEMO_MODES = ['auto', 'manual'] as const

export const DemoInput = Type.Object(
  {
    mode: Type.Optional(
      OneOf(DEMO_MODES, 'auto plays by itself within a minute; manual plays the next step with every call'),
    ),
  },
  closed,
)
export type DemoInput = Static<typeof DemoInput>

export const DemoView = Type.Object({
  demo_id: Type.String(),
  mode: OneOf(DEMO_MODES),
  sequences: Type.Integer({ description: 'how many things are shown' }),
  total_steps: Type.Integer(),
  estimated_duration_ms: Type.Integer(),
})
export type DemoView = Static<typeof DemoView>

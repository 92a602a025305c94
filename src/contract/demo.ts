// POST /demo/run: a scripted demonstration of one minute on the caller's devices.
import { type Static, Type } from 'typebox'
import { closed, OneOf } from './fields.ts'

export const DEMO_MODES = ['auto', 'manual'] as const

export const DemoInput = Type.Object(
  {
    mode: Type.Optional(
      OneOf(DEMO_MODES, 'auto plays all steps within a minute; manual plays the next step with every call'),
    ),
  },
  { ...closed, title: 'DemoInput', examples: [{ mode: 'auto' }] },
)
export type DemoInput = Static<typeof DemoInput>

export const DemoView = Type.Object(
  {
    demo_id: Type.String(),
    mode: OneOf(DEMO_MODES),
    sequences: Type.Integer({ description: 'the number of cards and notifications shown' }),
    total_steps: Type.Integer(),
    estimated_duration_ms: Type.Integer(),
  },
  { title: 'Demo' },
)
export type DemoView = Static<typeof DemoView>

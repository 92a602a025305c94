// The argument of tools that can wait a moment for a change, as ?wait does.
import { Type } from 'typebox'
import { LIMITS } from '../../contract/limits.ts'

export const WAIT_SECONDS = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: LIMITS.wait.maxSeconds,
    description: 'Seconds to wait for a change before the call returns what is there; 0 if left out.',
  }),
)

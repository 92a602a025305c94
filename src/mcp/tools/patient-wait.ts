// A wait for a person that may take an hour, with reports of progress, so that neither the client nor a proxy gives up.
import { Type } from 'typebox'
import type { Context } from '../../operations/context.ts'
import type { Wait } from '../../operations/wait-until.ts'
import type { Call } from './tool.ts'

const TIMEOUT = { min: 10, default: 300, max: 3600 }
// Progress is due every 15 s at the latest; waits are woken about once a second.
const REPORT_MS = 10_000

export const TIMEOUT_SECONDS = Type.Optional(
  Type.Integer({
    minimum: TIMEOUT.min,
    maximum: TIMEOUT.max,
    description: `how long to wait for a person; ${TIMEOUT.default} if left out`,
  }),
)

export function patientWait(seconds = TIMEOUT.default, { ended, reportProgress }: Call, message: string): Wait {
  let nextMs = 0
  return {
    seconds,
    heldBy: 'agent',
    gone: ended,
    stillWaiting(waitedMs) {
      if (waitedMs < nextMs) return
      nextMs = waitedMs + REPORT_MS
      reportProgress({ seconds: Math.floor(waitedMs / 1000), ofSeconds: seconds, message })
    },
  }
}

// Says why a wait has ended without an answer.
export const waitNote = ({ stopping }: Context, { seconds }: Wait, later: string): string =>
  stopping.aborted
    ? `The server is restarting; the question stays open, and ${later}.`
    : `Nobody has answered within ${seconds} seconds; the question stays open, and ${later}.`

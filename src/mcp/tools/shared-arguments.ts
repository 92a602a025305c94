// Arguments that several tools have, and what the tools do with them.
import { Type } from 'typebox'
import { LIMITS } from '../../contract/limits.ts'
import type { Context } from '../../operations/context.ts'
import type { Idempotent, IdempotentRequest } from '../../operations/idempotency.ts'
import type { Wait } from '../../operations/wait-until.ts'
import type { Call } from './tool.ts'

// For tools that can wait a moment for a change, as ?wait does.
export const WAIT_SECONDS = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: LIMITS.wait.maxSeconds,
    description: 'Seconds to wait for a change before the call returns what is there; 0 if left out.',
  }),
)

// For tools that create something: a call that is repeated with the same key and arguments is carried out once.
export const IDEMPOTENCY = {
  idempotency_key: Type.Optional(
    Type.String({
      pattern: '^[\\x20-\\x7e]{1,255}$',
      description:
        '1 to 255 printable ASCII characters. Calls with the same key and arguments are carried out once within 24 hours, so a call whose result was lost can be repeated.',
    }),
  ),
}

// Separates the key from the rest of the arguments.
export function onceOnly<Args extends { idempotency_key?: string }>(
  tool: string,
  { idempotency_key: key, ...message }: Args,
): { message: Omit<Args, 'idempotency_key'>; request: IdempotentRequest | undefined } {
  return { message, request: key === undefined ? undefined : { key, route: `MCP ${tool}`, body: message } }
}

// A repeated call gets the result of the first one as it was stored.
export const createdView = <Result, View>(created: Idempotent<Result>, view: (result: Result) => View): View =>
  'result' in created ? view(created.result) : JSON.parse(created.storedBody)

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

// A wait for a person that may take an hour, with reports of progress, so that neither the client nor a proxy gives up.
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

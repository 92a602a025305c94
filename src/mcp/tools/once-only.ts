// The argument `idempotency_key` of tools that create something: a call that is repeated with the same key and arguments is
// carried out once.
import { Type } from 'typebox'
import type { Idempotent, IdempotentRequest } from '../../operations/idempotency.ts'

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

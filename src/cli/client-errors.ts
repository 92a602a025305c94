// How a client command fails: one sentence for people, and an exit code for scripts.
import type { Problem, ProblemMembers } from '../contract/problems.ts'
import { errorCode } from '../domain/error-code.ts'
import { environmentName } from '../runtime/settings.ts'
import { printable } from './output.ts'

// Public: scripts depend on them. Add, never change.
export const EXIT_CODES = { usage: 2, refused: 3, notFound: 4, limited: 5, unavailable: 6 } as const
type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

const EXIT_CODE_OF_STATUS: Record<number, ExitCode> = {
  400: EXIT_CODES.usage,
  422: EXIT_CODES.usage,
  401: EXIT_CODES.refused,
  403: EXIT_CODES.refused,
  409: EXIT_CODES.refused,
  404: EXIT_CODES.notFound,
  410: EXIT_CODES.notFound,
  429: EXIT_CODES.limited,
}

const TOKEN = environmentName('token')
const NEW_TOKEN = `Set ${TOKEN} to a full-access token (hla_…); "heliograph token create --user NAME" on the server prints one.`
const NEW_PLAN = 'The operator of the server changes plans with "heliograph user set-plan NAME paid".'
const SERVER_ADDRESS = `${environmentName('url')} or --url sets the address of the server.`

// What to do about a problem, where the server cannot know.
const ADVICE: Record<string, string> = {
  'token.invalid': NEW_TOKEN,
  'integration_key.permission_denied': NEW_TOKEN,
  'widget.token_not_permitted': NEW_TOKEN,
  'subscription.required': NEW_PLAN,
  'permission.editor_requires_paid_recipient': NEW_PLAN,
  'route.not_found': SERVER_ADDRESS,
}

export class ClientError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

export const missingToken = () => new ClientError(EXIT_CODES.usage, `${TOKEN} is not set. ${NEW_TOKEN}`)

type ProblemDocument = Pick<Problem, 'code' | 'detail'> & ProblemMembers

export function isProblem(document: unknown): document is ProblemDocument {
  return typeof document === 'object' && document !== null && 'code' in document && 'detail' in document
}

export function refused(status: number, { code, detail, retry_after_ms: retryAfterMs }: ProblemDocument): ClientError {
  const sentences = [
    `${detail} (${code})`,
    retryAfterMs !== undefined && `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
    ADVICE[code],
  ]
  const message = printable(sentences.filter(Boolean).join(' ').replaceAll('\n', ' '))
  return new ClientError(EXIT_CODE_OF_STATUS[status] ?? EXIT_CODES.unavailable, message)
}

export function timedOut(url: string, timeoutMs: number): ClientError {
  return new ClientError(EXIT_CODES.unavailable, `${url} has not answered within ${timeoutMs / 1000} s.`)
}

// fetch rejects with "fetch failed"; its cause says why.
export function unreachable(url: string, error: Error): ClientError {
  const cause = error.cause instanceof Error ? error.cause : error
  const reason = errorCode(cause) ?? cause.message
  return new ClientError(EXIT_CODES.unavailable, `${url} cannot be reached (${reason}). ${SERVER_ADDRESS}`)
}

export function notHeliograph(url: string, { status, headers }: Response): ClientError {
  const location = headers.get('location')
  const answer = location ? `redirects to ${printable(location)}` : `answers ${status} without JSON of Heliograph`
  return new ClientError(EXIT_CODES.unavailable, `${url} ${answer}. ${SERVER_ADDRESS}`)
}

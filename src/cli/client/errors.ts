// How a client command fails: one sentence for people, and an exit code for scripts.
import type { IncomingHttpHeaders } from 'node:http'
import type { Problem, ProblemMembers } from '../../contract/problems.ts'
import { errorCode } from '../../domain/errors.ts'
import { environmentName } from '../../runtime/settings.ts'
import { printable } from '../output.ts'

// Public: scripts depend on them. Add, never change.
export const EXIT_CODES = {
  usage: 2,
  refused: 3,
  notFound: 4,
  limited: 5,
  unavailable: 6,
  unanswered: 7,
} as const
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
const CHECK_TOKEN = `Compare ${TOKEN} with the key (hlk_…) that the console or "heliograph key create" has shown.`
const FULL_ACCESS = `Set ${TOKEN} to a full-access token (hla_…); "heliograph token create --user NAME" on the server prints one.`
const OTHER_KEY =
  'Where the message names a permission, a key that has it suffices ("heliograph key create"); else use a full-access token (hla_…).'
const NEW_PLAN = 'The operator of the server changes plans with "heliograph user set-plan NAME paid".'
const SERVER_ADDRESS = `${environmentName('url')} or --url sets the address of the server.`

// What to do about a problem, where the server cannot know.
const ADVICE: Record<string, string> = {
  'token.invalid': CHECK_TOKEN,
  'integration_key.permission_denied': OTHER_KEY,
  'widget.token_not_permitted': FULL_ACCESS,
  'device.app_not_permitted': FULL_ACCESS,
  'subscription.required': NEW_PLAN,
  'permission.editor_requires_paid_recipient': NEW_PLAN,
  'route.not_found': SERVER_ADDRESS,
}

export class ClientError extends Error {
  readonly exitCode: ExitCode
  // The code of the problem that the server answered with, if it did.
  readonly problem?: string

  constructor(exitCode: ExitCode, message: string, problem?: string) {
    super(message)
    this.exitCode = exitCode
    this.problem = problem
  }
}

// The command has worked, but nobody has answered or acknowledged.
export const unanswered = (message: string) => new ClientError(EXIT_CODES.unanswered, message)

export const missingToken = (url: string) =>
  new ClientError(
    EXIT_CODES.usage,
    `no token for ${url}. Set ${TOKEN} to an integration key (hlk_…) or a full-access token (hla_…), or run "heliograph login ${url}".`,
  )

// Options whose name differs from that of the member they set. The server speaks of members of the body.
const OPTION_OF: Record<string, string> = {
  acknowledge: '--ack',
  actions: '--action',
  activity_slug: '--activity',
  attachments: '--file',
  callback_url: '--callback',
  collapse_id: '--collapse',
  icon_url: '--icon',
  media: '--image',
  source_display_name: '--source-name',
  tags: '--tag',
  thread_id: '--thread',
  url: '--link',
}
const MEMBER = /\bbody\.([a-z_]+)/g
const inOptions = (text: string) => text.replace(MEMBER, (_, member: string) => OPTION_OF[member] ?? member)

type ProblemDocument = Pick<Problem, 'code' | 'detail'> & ProblemMembers

export function isProblem(document: unknown): document is ProblemDocument {
  return typeof document === 'object' && document !== null && 'code' in document && 'detail' in document
}

export function refused(status: number, { code, detail, retry_after_ms: retryAfterMs }: ProblemDocument): ClientError {
  const sentences = [
    `${inOptions(detail)} (${code})`,
    retryAfterMs !== undefined && `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
    ADVICE[code],
  ]
  const message = printable(sentences.filter(Boolean).join(' ').replaceAll('\n', ' '))
  return new ClientError(EXIT_CODE_OF_STATUS[status] ?? EXIT_CODES.unavailable, message, code)
}

export function timedOut(url: string, timeoutMs: number): ClientError {
  return new ClientError(EXIT_CODES.unavailable, `${url} has not answered within ${timeoutMs / 1000} s.`)
}

export function unreachable(url: string, error: Error): ClientError {
  const reason = errorCode(error) ?? error.message
  return new ClientError(EXIT_CODES.unavailable, `${url} cannot be reached (${reason}). ${SERVER_ADDRESS}`)
}

export function notHeliograph(url: string, status: number, { location }: IncomingHttpHeaders): ClientError {
  const answer = location ? `redirects to ${printable(location)}` : `answers ${status} without JSON of Heliograph`
  return new ClientError(EXIT_CODES.unavailable, `${url} ${answer}. ${SERVER_ADDRESS}`)
}

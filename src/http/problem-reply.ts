// Turns errors into problem+json. Only this file decides about statuses and error headers.

import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import { Problem, type Violation } from '../contract/problems.ts'
import { boundedViolations, excerpt, moreViolations } from '../contract/validation.ts'
import { errorCode } from '../domain/errors.ts'
import type { Log } from '../runtime/log.ts'
import { sendAndDrain } from './connections/drain-body.ts'
import { sendPage } from './html.ts'
import { PICTURE_TYPES, type ProblemPicture, problemPicture } from './screens/problem-picture.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'
const UNAVAILABLE_RETRY_SECONDS = 5
// The window of the limit may end at any moment, so the page does not wait for a whole one.
const PAGE_RELOAD_SECONDS = 10
// A deletion frees a capped resource at any time, so the client may retry soon.
const CAP_RETRY_SECONDS = 1
// Enough for every message with the part of the request that it quotes.
const DETAIL_CHARS = 800
const ERRORS_BYTES = 12 * 1024

export function replyWithProblem(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(log, error, request)
  setRetryAfter(reply, problem)
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  if (problem.problem === 'rate_limit.exceeded' && isNavigation(request)) return sendBusyPage(reply)
  if (problem.problem === 'route.not_found' && isNavigation(request)) return sendUnknownPage(reply)
  const picture = (request.routeOptions.config.onLink || isNotDrawn(problem)) && pictureInstead(problem, request)
  if (picture) return reply.code(problem.status).type(PICTURE_TYPES[picture.format]).send(problemPicture(picture))
  if (problem.problem === 'screen.not_found' && isNavigation(request)) return sendNoLinkPage(reply)
  reply.code(problem.status).type(PROBLEM_TYPE)
  const body = JSON.stringify(problemBody(problem, request.id))
  return problem.status === 413 ? sendAndDrain(request, reply, body) : reply.send(body)
}

// A screen that asked for a picture shows why there is none.
const PICTURE_WORDS: Record<number, string> = {
  404: 'Not available',
  429: 'Too busy',
  500: 'Not available',
  503: 'Too busy',
}

const isNotDrawn = ({ problem }: Problem): boolean => problem === 'picture.busy' || problem === 'picture.failed'

function pictureInstead({ status }: Problem, { query, routeOptions }: FastifyRequest): ProblemPicture | undefined {
  const words = PICTURE_WORDS[status]
  const format = /\.(svg|png|bmp)$/.exec(routeOptions.url ?? '')?.[1] as ProblemPicture['format'] | undefined
  if (!words || !format) return undefined
  return { format, words, ...sizeAsked(query as Record<string, unknown>, format) }
}

// In pixels. Displays with a fixed size draw no other.
function sizeAsked({ size, scale, colors }: Record<string, unknown>, format: ProblemPicture['format']) {
  const { min, max } = LIMITS.screen.pictureSide
  const asked = /^(\d{2,4})x(\d{2,4})$/.exec(String(size))?.slice(1).map(Number) ?? []
  const [width = 158, height = 158] = asked.every((side) => side >= min && side <= max) ? asked : []
  const usual = format === 'png' && colors === undefined ? 2 : 1
  const factor = /^[1-4](?:\.5)?$/.test(String(scale)) ? Number(scale) : usual
  const isTooLarge = width * height * factor * factor > LIMITS.screen.maxPicturePixels
  const times = format === 'svg' || isTooLarge ? 1 : factor
  return { width: Math.round(width * times), height: Math.round(height * times) }
}

// A person who opened a page, not a program.
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true

// Loads itself again: the person need not know what a rate limit is.
const sendBusyPage = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, 429, {
    title: 'One moment, please',
    text: 'Too many requests came from this address. This page loads again by itself.',
    reloadSeconds: PAGE_RELOAD_SECONDS,
  })

const sendNoLinkPage = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, 404, {
    title: 'This link shows nothing',
    text: 'It is incomplete, has ended or was revoked, or what it showed was deleted.',
  })

const sendUnknownPage = (reply: FastifyReply): FastifyReply =>
  sendPage(reply, 404, {
    title: 'There is no such page',
    text: 'The address may be mistyped, or from another version.',
    link: { path: '/app/', text: 'Open the console' },
  })

// The problem that an error is. Logs a failure of the server.
export function problemOf(log: Log, error: unknown, request: FastifyRequest): Problem {
  const problem = isBodyCutShort(error, request) ? bodyCutShort() : toProblem(error)
  request.problem = problem
  // A 5xx problem without a cause, such as a feature that is not configured, is an expected response and not logged as
  // a failure.
  const isFailure = problem.status >= 500 && (problem !== error || problem.cause !== undefined)
  if (isFailure) log.error({ request: request.id, err: problem.cause ?? error }, problem.code)
  return problem
}

export function setRetryAfter(reply: FastifyReply, problem: Problem): void {
  const retryAfterMs = retryAfter(problem)
  if (retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(retryAfterMs / 1000))
}

export function problemBody(problem: Problem, requestId: string) {
  const retryAfterMs = retryAfter(problem)
  const { errors, ...members } = problem.members
  return {
    type: 'about:blank',
    title: STATUS_CODES[problem.status],
    status: problem.status,
    detail: excerpt(problem.detail, DETAIL_CHARS),
    instance: `/requests/${requestId}`,
    code: problem.code,
    ...members,
    ...(errors && { errors: withinBytes(boundedViolations(errors)) }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
  }
}

// Fifty names of a hundred characters can have 60 KB when every character is escaped.
function withinBytes(errors: Violation[]): Violation[] {
  let bytes = 0
  const fitting = errors.findIndex((violation) => {
    bytes += Buffer.byteLength(JSON.stringify(violation))
    return bytes > ERRORS_BYTES
  })
  return fitting === -1 ? errors : [...errors.slice(0, fitting), moreViolations('The request')]
}

function retryAfter({ status, code, members }: Problem): number | undefined {
  if (members.retry_after_ms !== undefined) return members.retry_after_ms
  // A refusal that a plan causes (403) does not go away by itself.
  if (status !== 403 && code.endsWith('limit_exceeded')) return CAP_RETRY_SECONDS * 1000
  if (status === 429) return LIMITS.rate.windowSeconds * 1000
  return status === 503 ? UNAVAILABLE_RETRY_SECONDS * 1000 : undefined
}

// The client has disconnected, so this is only for the log line.
const bodyCutShort = () => new Problem('request.body_invalid', 'The connection ended before the body did.')

function isBodyCutShort(error: unknown, { raw }: FastifyRequest): boolean {
  return !raw.complete && errorCode(error) === 'ECONNRESET'
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Error && error.cause instanceof Problem) return error.cause
  switch (errorCode(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('request.too_large', `The body must have at most ${LIMITS.request.maxBodyBytes} bytes.`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return new Problem('request.media_type_unsupported', 'Send the body as application/json, with that Content-Type.')
    case 'FST_CP_ERR_INVALID_CONTENT_ENCODING':
      return new Problem('request.media_type_unsupported', 'The Content-Encoding of a body is gzip, br or deflate.')
    case 'FST_CP_ERR_INVALID_CONTENT':
      return new Problem('request.body_invalid', 'The body is not compressed as Content-Encoding says.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('request.body_invalid', 'The body does not have the length that Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return new Problem('path.invalid', 'The path cannot be decoded.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('path.too_long', 'A part of the path is too long.')
    default:
      return new Problem(
        'internal_error',
        'Something went wrong on our side; the request id finds it in the log.',
        {},
        error,
      )
  }
}

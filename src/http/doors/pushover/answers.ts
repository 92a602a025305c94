// Answers in the form of Pushover.
import type { FastifyReply } from 'fastify'
import type { Problem } from '../../../contract/problems.ts'
import { PushoverRefusal } from '../../../domain/doors/pushover/message.ts'
import { toUnixSeconds } from '../../../domain/instant.ts'
import type { QuotaUsage } from '../../../operations/quota.ts'
import { newUuid } from '../../../runtime/ids.ts'

// The form of an answer is the ending of the path.
export const FORMS = ['json', 'xml'] as const

// As Pushover writes it, for senders that ask for `messages.xml`.
export const toXml = (answer: object): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<hash>\n${elementsOf(answer)}</hash>\n`

const elementsOf = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => elementOf(name, value))
    .join('')

function elementOf(name: string, value: unknown): string {
  if (typeof value === 'number') return `<${name} type="integer">${value}</${name}>\n`
  if (Array.isArray(value)) {
    const items = value.map((item) => elementOf(name.replace(/s$/, ''), item))
    return `<${name} type="array">\n${items.join('')}</${name}>\n`
  }
  if (typeof value === 'object' && value !== null) return `<${name}>\n${elementsOf(value)}</${name}>\n`
  return `<${name}>${escapeXml(String(value ?? ''))}</${name}>\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

// Control characters cannot be written in XML 1.0.
const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '').replace(/(?![\t\n\r])\p{Cc}/gu, ' ')

export const success = (members: object = {}): object => ({ status: 1, ...members, request: newUuid() })

export function pushoverErrorOf(problem: Problem): { status: number; body: object } {
  const { status, members, errors } = errorFor(problem)
  return { status, body: { ...members, errors, status: 0, request: newUuid() } }
}

type PushoverError = { status: number; members: Record<string, string>; errors: string[] }

const error = (status: number, field: string, reason: string, sentence = `${field} ${reason}`): PushoverError => ({
  status,
  members: { [field]: reason },
  errors: [sentence],
})

function errorFor(problem: Problem): PushoverError {
  if (problem instanceof PushoverRefusal) return error(400, problem.field, problem.reason, problem.sentence)
  const { status, detail } = problem
  switch (problem.problem) {
    case 'notification_receipt.not_found':
      return error(404, 'receipt', 'not found', 'receipt not found; may be invalid or expired')
    case 'route.not_found':
      return { status, members: {}, errors: ['resource not found'] }
    case 'file.not_enabled':
      return error(400, 'attachment', 'is not allowed on this server')
    case 'file.limit_exceeded':
      return error(413, 'attachment', 'cannot be kept', `attachment cannot be kept: ${detail}`)
    case 'file.too_large':
    case 'request.too_large':
      return error(413, 'attachment', 'is too large')
    default:
      return otherError(status, detail)
  }
}

function otherError(status: number, detail: string): PushoverError {
  if (status === 401) return error(400, 'token', 'invalid', 'application token is invalid')
  if (status === 403)
    return error(403, 'token', 'not permitted', `application token is not permitted to do this: ${detail}`)
  if (status >= 500) return { status, members: {}, errors: ['internal error, please try again later'] }
  // Too many alerts that wait to be acknowledged is a limit, too.
  return { status: status === 409 || status === 429 ? 429 : 400, members: {}, errors: [detail] }
}

export type AppLimits = { limit: number; remaining: number; reset: number }

// Pushover has no word for unlimited.
const UNLIMITED = 1_000_000

export function limitsOf({ used, limit: given, resetsAt }: QuotaUsage): AppLimits {
  const limit = given ?? UNLIMITED
  return { limit, remaining: Math.max(limit - used, 0), reset: toUnixSeconds(resetsAt) }
}

export const setLimits = (reply: FastifyReply, { limit, remaining, reset }: AppLimits) =>
  reply.headers({
    'x-limit-app-limit': limit,
    'x-limit-app-remaining': remaining,
    'x-limit-app-reset': reset,
  })

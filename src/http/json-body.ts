// Bodies of our own routes: media types, and JSON with guards. JSON.parse alone accepts duplicate keys, keys that reach
// into prototypes, and nesting deep enough to overflow the stack.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import { Problem, type Violation } from '../contract/problems.ts'
import { excerpt, MOST_VIOLATIONS, moreViolations, validationProblem } from '../contract/validation.ts'
import { endOfString } from '../domain/text.ts'
import type { Context } from '../operations/context.ts'
import { clientAddress } from './connections/client-address.ts'
import { parseBodies } from './request-body.ts'

// Larger bodies wait for a slice: many that arrive together must not be parsed in one turn of the event loop. The work
// after the parser, up to the operation's first wait, runs in the same turn.
const LARGE_BODY_BYTES = 16 * 1024

export function registerBodyParsers(app: FastifyInstance, { slices }: Context): void {
  app.removeAllContentTypeParsers()
  parseBodies(app, ['application/json', 'application/merge-patch+json'], (request, body) =>
    body.length > LARGE_BODY_BYTES
      ? slices(clientAddress(request), () => readJson(request, body))
      : readJson(request, body),
  )
  parseBodies(app, ['*'], (request, body) => {
    if (body.length > 0) throw unsupportedMediaType(request)
  })
}

function readJson(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0) return undefined
  const type = request.headers['content-type'] ?? ''
  if (request.method !== 'PATCH' && type.includes('merge-patch')) throw unsupportedMediaType(request)
  if (type !== 'application/json' && !/^utf-?8$/i.test(charsetOf(type))) throw unsupportedMediaType(request)
  if (!isUtf8(body)) throw new Problem('request.body_invalid', 'The body is not valid UTF-8.')
  return parseJson(body.toString())
}

const charsetOf = (type: string) => /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1] ?? 'utf-8'

export function unsupportedMediaType(request: FastifyRequest): Problem {
  const accepted = request.method === 'PATCH' ? 'application/merge-patch+json or application/json' : 'application/json'
  return new Problem('request.media_type_unsupported', `Send the body as ${accepted}, in UTF-8.`)
}

export function parseJson(text: string): unknown {
  const membersInText = countMembers(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem(
      'request.body_invalid',
      `The body is not valid JSON: ${error instanceof Error ? error.message : error}.`,
    )
  }
  if (countParsedMembers(value) !== membersInText) {
    throw new Problem('request.body_invalid', 'An object in the body has the same key twice.')
  }
  // A search for two characters takes a tenth of the time of the pattern, and most bodies have no such escape.
  if (text.includes('\\u') && UNSTORABLE_ESCAPE.test(text)) refuseUnstorableText(value)
  return value
}

const QUOTE = 34
const COMMA = 44
const COLON = 58

// Counts the members of all objects as written. Refuses deep nesting before recursive functions see it, and too many
// values before any work per value. A value follows a comma or is the first one in an object or list, so commas and
// openings together are at least the number of values minus one.
function countMembers(text: string): number {
  let depth = 0
  let members = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === QUOTE) i = endOfString(text, i)
    else if (char === COLON) members++
    else if (char === COMMA) values++
    else if (char === 123 || char === 91) {
      depth++
      values++
    } else if (char === 125 || char === 93) depth--
    if (depth > LIMITS.request.maxJsonDepth) {
      throw new Problem('request.body_invalid', `The body is nested deeper than ${LIMITS.request.maxJsonDepth} levels.`)
    }
    if (values > LIMITS.request.maxJsonValues) {
      throw new Problem('request.body_invalid', `The body has more than ${LIMITS.request.maxJsonValues} values.`)
    }
  }
  return members
}

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

// Fewer than the text has if an object has a key twice.
function countParsedMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const entry of value) count += countParsedMembers(entry)
    return count
  }
  for (const key in value) {
    if (FORBIDDEN_KEYS.has(key)) throw new Problem('request.body_invalid', `"${key}" is not allowed as a key.`)
    count += 1 + countParsedMembers((value as Record<string, unknown>)[key])
  }
  return count
}

// Only an escape can bring U+0000 or half of a surrogate pair into valid UTF-8.
const UNSTORABLE_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/

function refuseUnstorableText(value: unknown): void {
  const violations: Violation[] = []
  const report = (location: string, message: string) => violations.push({ location, message })
  const visit = (node: unknown, location: string) => {
    if (violations.length >= MOST_VIOLATIONS) return
    if (typeof node === 'string' && !isStorable(node)) {
      report(location, 'must not contain U+0000 or half of a surrogate pair')
    }
    if (typeof node !== 'object' || node === null) return
    for (const [key, member] of Object.entries(node)) {
      if (!isStorable(key)) report(location, 'must not have such a key: U+0000 or half a surrogate pair')
      visit(member, Array.isArray(node) ? `${location}[${key}]` : `${location}.${excerpt(key)}`)
    }
  }
  visit(value, 'body')
  if (violations.length >= MOST_VIOLATIONS) violations.splice(MOST_VIOLATIONS - 1, Infinity, moreViolations('body'))
  if (violations.length > 0) throw validationProblem(violations)
}

const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed()

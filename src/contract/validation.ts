// Validates bodies, query strings and paths against their schemas, and words the errors of Ajv for people.
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { Problem, type Violation } from './problems.ts'

export type Part = 'body' | 'query' | 'path'
export type Check = (value: unknown) => Violation[]

// `optimize` costs more at the start than it saves later. Ajv must not change documents: no coercion, no defaults written
// into a patch, no members removed. Schemas are ours and a test checks them: checking them here would make the first
// request of a process block the event loop for 150 ms.
const OPTIONS: Options = {
  code: { optimize: false },
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  validateSchema: false,
}

// Validation stops at the first violation. A second Ajv lists all violations of a request that failed, if the request is
// small: listing 20,000 violations would block the event loop for 100 ms.
const stopping = prepare(new Ajv2020(OPTIONS))
const stoppingWithDefaults = prepare(new Ajv2020({ ...OPTIONS, useDefaults: true }))
let listing: Ajv2020 | undefined

// Compiles lazily: compiling every schema would double the start time.
export function compileCheck(schema: TSchema | object, part: Part): Check {
  let stop: ValidateFunction | undefined
  let list: ValidateFunction | undefined
  return (value) => {
    if (part !== 'body') readParameters(schema, value)
    stop ??= (part === 'body' ? stopping : stoppingWithDefaults).compile(schema)
    if (stop(value)) return []
    if (!isSmall(value)) return [...toViolations(stop.errors ?? [], part), moreViolations(part)]
    listing ??= prepare(new Ajv2020({ ...OPTIONS, allErrors: true }))
    list ??= listing.compile(schema)
    list(value)
    return toViolations(list.errors ?? [], part)
  }
}

const SMALL_VALUES = 1000
// Ajv writes the keys on the way to a violation into each violation, so long keys make violations expensive.
const SMALL_KEY_CHARS = 256

function isSmall(document: unknown): boolean {
  let values = 0
  const visit = (node: unknown): boolean => {
    if (++values > SMALL_VALUES) return false
    if (typeof node !== 'object' || node === null) return true
    if (Array.isArray(node)) return node.every(visit)
    const members = node as Record<string, unknown>
    for (const key in members) if (key.length > SMALL_KEY_CHARS || !visit(members[key])) return false
    return true
  }
  return visit(document)
}

export function validationProblem(violations: Violation[]): Problem {
  return new Problem('request.validation_failed', inOneSentence(violations), { errors: violations })
}

export function inOneSentence(violations: Violation[]): string {
  const [first, ...rest] = violations
  if (!first) return 'The request does not have the described shape.'
  const others = rest.length === 0 ? '' : ` (and ${rest.length} more; see errors)`
  // A question needs no full stop.
  return `${first.location} ${first.message}${others}.`.replace(/\?\.$/, '?')
}

function prepare(ajv: Ajv2020): Ajv2020 {
  ajv.addFormat('date-time', isRfc3339)
  return ajv
}

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

export function isRfc3339(text: string): boolean {
  const match = RFC3339.exec(text)
  if (!match || Number.isNaN(Date.parse(text))) return false
  // Date.parse rolls 30 February over into March.
  const [, year, month, day] = match
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
}

// A wrong anyOf branch reports the same place twice; the first message is enough.
function toViolations(errors: ErrorObject[], part: Part): Violation[] {
  const violations = new Map<string, Violation>()
  for (const error of errors) {
    const violation = toViolation(error, part)
    if (violations.has(violation.location)) continue
    if (violations.size === MOST_VIOLATIONS - 1 && errors.length > MOST_VIOLATIONS) {
      return [...violations.values(), moreViolations(part)]
    }
    violations.set(violation.location, violation)
  }
  return [...violations.values()]
}

function toViolation(error: ErrorObject, part: Part): Violation {
  const location = part + toDottedPath(error.instancePath)
  if (error.keyword === 'required') {
    return { location: `${location}.${error.params.missingProperty}`, message: 'is required' }
  }
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const name: string = error.params.additionalProperty ?? error.params.unevaluatedProperty
    return { location: `${location}.${excerpt(name)}`, message: unknownMember(excerpt(name), error) }
  }
  // Only a parameter that is given twice is a list.
  const isRepeated = part === 'query' && Array.isArray(error.data)
  return { location, message: isRepeated ? 'must be given only once' : inWords(error), ...echo(location, error.data) }
}

function unknownMember(name: string, { parentSchema }: ErrorObject): string {
  const likely = likelyMember(name, Object.keys(parentSchema?.properties ?? {}))
  return `is not a member this endpoint knows${likely === undefined ? '' : `; did you mean ${likely}?`}`
}

// Words of ntfy, Gotify, Pushover, Slack and Telegram.
const FOREIGN_WORDS: Record<string, string> = {
  message: 'body',
  msg: 'body',
  text: 'body',
  content: 'body',
  description: 'body',
  priority: 'level',
  severity: 'level',
  click: 'url',
  link: 'url',
  buttons: 'actions',
  group: 'thread_id',
  thread: 'thread_id',
  picture: 'media',
  image: 'media',
  attach: 'media',
}

// The member that a client probably means: another spelling of a known name, or the word of another service for it.
function likelyMember(name: string, known: string[]): string | undefined {
  const foreign = Object.hasOwn(FOREIGN_WORDS, name) ? FOREIGN_WORDS[name] : undefined
  const letters = lettersOf(name)
  return known.find((one) => one === foreign) ?? known.find((one) => lettersOf(one) === letters)
}

// The same for threadId, thread-ids and thread_id.
const lettersOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/s$/, '')

function toDottedPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => excerpt(step.replaceAll('~1', '/').replaceAll('~0', '~')))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
}

function inWords({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(typeInWords).join(' or ')}`
    case 'enum':
      return `must be one of ${params.allowedValues.map((value: unknown) => value ?? 'null').join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `must have at most ${params.limit} entries`
    case 'minProperties':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'member' : 'members'}`
    case 'maxProperties':
      return `must have at most ${params.limit} members`
    case 'pattern':
    case 'format':
      return `must be ${parentSchema?.description ?? 'of the documented form'}`
    default:
      return message ?? 'is not valid'
  }
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a finite number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}
const typeInWords = (type: string) => TYPE_WORDS[type] ?? type

// A violation repeats the value that was sent, except at places that may hold a secret.
const SECRET_PLACES =
  /token|secret|headers|password|encrypted|\bkey\b|\bauth\b|\bcode\b|p256dh|endpoint|apns|web_push|url|\.body$/i

function echo(location: string, value: unknown): Pick<Violation, 'value'> {
  if (SECRET_PLACES.test(location)) return {}
  if (typeof value === 'string') return { value: excerpt(value, 80) }
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : {}
  return typeof value === 'boolean' || value === null ? { value } : {}
}

// Bounds on the violations of a problem: their number, and the amount of text they repeat from the request.
export const MOST_VIOLATIONS = 50
const EXCERPT_CHARS = 100
const WORDS_CHARS = 300

// Shortens text of a request for an answer or a log line.
export function excerpt(text: string, mostChars = EXCERPT_CHARS): string {
  return text.length > mostChars ? `${text.slice(0, mostChars).toWellFormed()}…` : text
}

// If entries are left out, the last one says so.
export function boundedViolations(violations: Violation[]): Violation[] {
  if (violations.length <= MOST_VIOLATIONS) return violations.map(shortened)
  return [...violations.slice(0, MOST_VIOLATIONS - 1).map(shortened), moreViolations('The request')]
}

// A rule may repeat names of the request.
function shortened({ location, message, ...rest }: Violation): Violation {
  return { location: excerpt(location, WORDS_CHARS), message: excerpt(message, WORDS_CHARS), ...rest }
}

export const moreViolations = (location: string): Violation => ({
  location,
  message: 'has more violations than are listed here',
})

// Converts the text of query strings and paths to the types of their schema. Ajv's own coercion is not used: it accepts
// "Infinity", "1e999", "0x10" and " 1" as numbers, and does not check the first two against `maximum`.
type ParameterSchema = { properties?: Record<string, { type?: unknown }> }

const DIGITS = /^\d{1,16}$/

// Text that does not convert stays text, so that validation reports its type.
export function readParameters(schema: object, parameters: unknown): void {
  const { properties = {} } = schema as ParameterSchema
  const values = parameters as Record<string, unknown>
  for (const name in properties) {
    const text = values[name]
    if (typeof text === 'string') values[name] = readAs(properties[name]?.type, text)
  }
}

function readAs(type: unknown, text: string): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type !== 'integer' || !DIGITS.test(text)) return text
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

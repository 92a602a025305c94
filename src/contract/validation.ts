// One strict Ajv for documents and one coercing Ajv for query strings and paths, and their errors put into words.
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { Problem, type Violation } from './problems.ts'

export type Part = 'body' | 'query' | 'path'
export type Check = (value: unknown) => Violation[]

// Optimizing the generated code costs more at the start than it ever saves.
const OPTIONS: Options = {
  code: { optimize: false },
  allErrors: true,
  verbose: true,
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
}

// Documents are taken as they are: no coercion, no defaults written into a patch, nothing removed.
const documents = prepare(new Ajv2020(OPTIONS))
const parameters = prepare(new Ajv2020({ ...OPTIONS, coerceTypes: true, useDefaults: true }))

// Compiled when it is first needed: a start that compiles every schema takes twice as long.
export function compileCheck(schema: TSchema | object, part: Part): Check {
  let compiled: ValidateFunction | undefined
  return (value) => {
    compiled ??= (part === 'body' ? documents : parameters).compile(schema)
    return compiled(value) ? [] : toViolations(compiled.errors ?? [], part)
  }
}

export function validationProblem(violations: Violation[]): Problem {
  return new Problem('request.validation_failed', inOneSentence(violations), { errors: violations })
}

export function inOneSentence(violations: Violation[]): string {
  const [first, ...rest] = violations
  if (!first) return 'The request does not have the described shape.'
  const others = rest.length === 0 ? '' : ` (and ${rest.length} more; see errors)`
  return `${first.location} ${first.message}${others}.`
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
    if (!violations.has(violation.location)) violations.set(violation.location, violation)
  }
  return [...violations.values()]
}

function toViolation(error: ErrorObject, part: Part): Violation {
  const location = part + toDottedPath(error.instancePath)
  if (error.keyword === 'required') {
    return { location: `${location}.${error.params.missingProperty}`, message: 'is required' }
  }
  if (error.keyword === 'additionalProperties' || error.keyword === 'unevaluatedProperties') {
    const name = error.params.additionalProperty ?? error.params.unevaluatedProperty
    return { location: `${location}.${name}`, message: 'is not a member this endpoint knows' }
  }
  return { location, message: inWords(error), ...echo(location, error.data) }
}

function toDottedPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
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

// Values help whoever reads the answer, but never a secret: those places are left out.
const SECRET_PLACES =
  /token|secret|headers|password|encrypted|\bkey\b|\bauth\b|\bcode\b|p256dh|endpoint|apns|web_push|url|\.body$/i

function echo(location: string, value: unknown): Pick<Violation, 'value'> {
  if (SECRET_PLACES.test(location)) return {}
  if (typeof value === 'string') return { value: value.length > 80 ? `${value.slice(0, 80).toWellFormed()}…` : value }
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : {}
  return typeof value === 'boolean' || value === null ? { value } : {}
}

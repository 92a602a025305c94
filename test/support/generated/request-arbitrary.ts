// Generates requests from openapi.json: most are nearly valid and wrong in one place, some are entirely wrong.
import fc from 'fast-check'
import { withParameters } from '../api-description.ts'

export type GeneratedRequest = {
  method: string
  path: string
  // The name of the caller; the test knows the token.
  caller: string
  headers: Record<string, string>
  body: Buffer | undefined
}

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  format?: string
  pattern?: string
}
type Parameter = { name: string; in: string; schema: Schema }
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
export type ApiDescription = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK']

const HOSTILE_TEXT = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  "'; drop table users; --",
  '%s%n{{1}}',
  '../../etc/passwd',
  'x'.repeat(5000),
  '💥'.repeat(300),
  '\u202e\u200b',
  '2026-13-45T99:99:99Z',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'javascript:alert(1)',
  'http://',
)
const HOSTILE_VALUE = fc.oneof(
  HOSTILE_TEXT,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53 + 2, [], {}, [[]], [null], { a: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
)

export function requestArbitrary(document: ApiDescription, callers: string[], params: Record<string, string[]>) {
  const api = withParameters(document)
  const ofOperations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => {
      const operation = inlined(api, { parameters, requestBody }) as Operation
      return fc.record<GeneratedRequest>({
        method: mostly(fc.constant(method.toUpperCase()), fc.constantFrom(...METHODS), 12),
        path: fc
          .tuple(pathArbitrary(path, params), queryArbitrary(operation.parameters ?? []))
          .map(([location, query]) => location + query),
        caller: fc.constantFrom(...callers),
        headers: headersArbitrary(method.toUpperCase()),
        body: bodyArbitrary(operation),
      })
    }),
  )
  return fc.constantFrom(...ofOperations).chain((ofOperation) => ofOperation)
}

// Replaces references by the schemas they refer to. No schema of ours refers to itself.
function inlined(api: ApiDescription, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((entry) => inlined(api, entry))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) return inlined(api, api.components.schemas[String(node.$ref).split('/').at(-1) as string])
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inlined(api, value)]))
}

const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 6): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

const ODD_PARTS = [
  '%00',
  '%2e%2e',
  '..',
  '%zz',
  '%',
  '%ff',
  'a%2fb',
  '%F0%9F%92%A5',
  'x'.repeat(300),
  '-',
  '0',
  '',
  '~',
  "'",
]

function pathArbitrary(template: string, params: Record<string, string[]>): fc.Arbitrary<string> {
  const parts = template.split('/').map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    return name ? mostly(fc.constantFrom(...(params[name] ?? ['x'])), fc.constantFrom(...ODD_PARTS)) : fc.constant(part)
  })
  const whole = fc.tuple(...parts).map((drawn) => drawn.join('/'))
  const odd = fc
    .tuple(whole, fc.constantFrom('/', '/.', '/..', '%20', ';a', '//', '/%2e'))
    .map(([path, end]) => path + end)
  return mostly(whole, odd, 15)
}

function queryArbitrary(parameters: Parameter[]): fc.Arbitrary<string> {
  const known = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      // A granted wait would block the test, so these are all refused or zero.
      const value = name === 'wait' ? fc.constantFrom(0, -1, 26, 0.5) : valueFor(schema)
      return fc.option(mostly(value, HOSTILE_VALUE)).map((drawn) => (drawn === null ? '' : pair(name, drawn)))
    })
  const unknown = fc.constantFrom('', '', '', 'a', 'a=1', '=', '&&', 'limit=1&limit=2', '%', '%zz=%zz')
  return fc.tuple(...known, unknown).map((pairs) => {
    const text = pairs.filter((drawn) => drawn !== '').join('&')
    return text === '' ? '' : `?${text}`
  })
}

function pair(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `${name}=${encodeURIComponent(text.toWellFormed())}`
}

function headersArbitrary(method: string): fc.Arbitrary<Record<string, string>> {
  const usual = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const type = mostly(
    fc.constantFrom(usual, 'application/json'),
    fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'a', 'multipart/form-data', 'application/xml'),
    12,
  )
  const odd = fc.constantFrom<Record<string, string>>(
    {},
    {},
    { accept: 'image/png' },
    { 'accept-encoding': 'x' },
    { 'idempotency-key': 'é' },
    { range: 'bytes=0-1' },
    { expect: '100-continue' },
  )
  return fc.tuple(type, odd).map(([contentType, more]) => ({ 'content-type': contentType, ...more }))
}

function bodyArbitrary(operation: Operation): fc.Arbitrary<Buffer | undefined> {
  const schema = operation.requestBody?.content['application/json']?.schema
  if (!schema) return mostly(fc.constant(undefined), fc.constantFrom(Buffer.from('{}'), Buffer.from('x')))
  const document = mostly(valueFor(schema), HOSTILE_VALUE, 15).map((value) => Buffer.from(JSON.stringify(value)))
  const broken = fc.tuple(document, fc.nat(), fc.constantFrom(0xff, 0x22, 0x7b, 0x00, 0x5c)).map(([text, at, byte]) => {
    const copy = Buffer.from(text)
    if (copy.length > 0) copy[at % copy.length] = byte
    return copy
  })
  return fc.oneof(
    { weight: 12, arbitrary: document },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: fc.constantFrom(undefined, Buffer.from('['.repeat(40)), Buffer.from('{"a":1,"a":2}')) },
  )
}

// A value that the schema accepts, with a hostile value in place of a part now and then.
function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  return mostly(wellFormed(schema), fc.oneof(HOSTILE_VALUE, beyond(schema)), 20)
}

function wellFormed(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueFor))
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), { maxLength: Math.min((schema.maxItems ?? 4) + 1, 9) })
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textOf(schema)
    default:
      return HOSTILE_VALUE
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, valueFor(member)]))
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const known = fc.record(members, { requiredKeys: required })
  const extra =
    typeof additionalProperties === 'object'
      ? fc.dictionary(fc.string({ maxLength: 8 }), valueFor(additionalProperties), { maxKeys: 3 })
      : mostly(fc.constant({}), fc.constantFrom({ extra: 1 }, { user_id: 'x' }, { constructor: 1 }), 20)
  // Few optional members at a time: a document with all of them is almost always invalid.
  const kept = fc.subarray(optional, { maxLength: Math.min(optional.length, 4) })
  return fc.tuple(known, extra, kept).map(([document, more, names]) => {
    const entries = Object.entries(document as object)
    return {
      ...Object.fromEntries(entries.filter(([name]) => required.includes(name) || names.includes(name))),
      ...more,
    }
  })
}

function textOf({ format, pattern, maxLength = 40, minLength = 0 }: Schema): fc.Arbitrary<unknown> {
  if (format === 'date-time')
    return fc.constantFrom('2026-11-16T00:00:00Z', '2026-11-15T08:00:00+01:00', '2031-01-01T00:00:00Z')
  const words = fc.constantFrom('own', 'a', 'https://example.org/x', 'GET', 'red', 'info', 'up', 'Äöü 1')
  if (pattern) return mostly(words, HOSTILE_TEXT)
  return fc.oneof(words, fc.string({ minLength, maxLength: Math.min(maxLength, 40), unit: 'grapheme' }))
}

// Values just outside of what the schema accepts.
function beyond({ minimum, maximum, maxLength, enum: values }: Schema): fc.Arbitrary<unknown> {
  const candidates: unknown[] = ['beyond']
  if (minimum !== undefined) candidates.push(minimum - 1, minimum - 0.5)
  if (maximum !== undefined) candidates.push(maximum + 1, maximum + 0.5)
  if (maxLength !== undefined) candidates.push('x'.repeat(maxLength + 1), '😀'.repeat(maxLength))
  if (values) candidates.push(`${values[0]}x`, String(values[0]).toUpperCase())
  return fc.constantFrom(...candidates)
}

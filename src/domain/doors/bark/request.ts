// Reads the parameters of a message for Bark, with the order in which bark-server lets one place win over another: the path,
// then the body of a form, then the query; of JSON, the query wins over the body.
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import { cutText, storableText } from '../../text.ts'
import { readEncodedFields } from '../forms.ts'
import type { BarkParameters } from './parameters.ts'

// `path`: the segments after the door, as they are in the URL. `json`: the body, if it is JSON, else `form`.
export type BarkRequest = {
  path: string[]
  query: string
  form?: Iterable<[name: string, value: string]>
  json?: Record<string, unknown>
}

// `keys`: of a batch.
export type BarkCall = { parameters: BarkParameters; key: string; keys?: string[] }

// The fields of a form. Longer values are cut, because only their beginning is kept.
export const readBarkForm = (text: string): [name: string, value: string][] =>
  readEncodedFields(text, MOST_ENCODED_CHARS)
const MOST_ENCODED_CHARS = 64 * 1024

const PUSH = 'push'
// What the segments after the key are, by their number.
const SEGMENTS = [[], ['body'], ['title', 'body'], ['title', 'subtitle', 'body']]
const MOST_PARAMETERS = 100
const MOST_NAME_CHARS = 64

export function readBarkCall({ path, query, form = [], json }: BarkRequest, isPost: boolean): BarkCall {
  const queried = readEncodedFields(query)
  const sent: [string, string][] = json ? [...flattened(json), ...queried] : [...queried, ...form]
  const [first = '', ...rest] = path.map(decoded)
  const isByBody = isPost && first === PUSH && rest.length === 0
  const named = (SEGMENTS[rest.length] ?? []).map((name, index): [string, string] => [name, rest[index] ?? ''])
  const { device_key = '', device_keys: _, ...parameters } = collected([...sent, ...named])
  const keys = json && isByBody ? readKeys(json.device_keys) : undefined
  return { parameters, key: isByBody ? device_key : first, keys }
}

// As in a query: a plus sign is a space.
const decoded = (segment: string): string => readEncodedFields(`_=${segment.replaceAll('&', '%26')}`)[0]?.[1] ?? ''

function collected(fields: Iterable<[name: string, value: string]>): BarkParameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of fields) {
    if (name.length <= MOST_NAME_CHARS) parameters.set(storableText(name.toLowerCase()), storableText(value))
  }
  if (parameters.size > MOST_PARAMETERS) throw tooLarge(`There are more than ${MOST_PARAMETERS} parameters.`)
  return bounded(Object.fromEntries(parameters))
}

// The texts that we keep in fields of our own are cut like those. All the rest has a bound of its own.
const TEXTS = ['title', 'subtitle', 'body', 'markdown']

function bounded(parameters: BarkParameters): BarkParameters {
  let bytes = 0
  const entries = Object.entries(parameters).map(([name, value]): [string, string] => {
    if (TEXTS.includes(name)) return [name, cutText(value, LIMITS.notification.maxBodyChars)]
    bytes += name.length + Buffer.byteLength(value)
    return [name, value]
  })
  if (bytes <= LIMITS.bark.maxRecordBytes) return Object.fromEntries(entries)
  throw tooLarge(`The parameters have more than ${LIMITS.bark.maxRecordBytes} bytes.`)
}

const tooLarge = (detail: string) => new Problem('request.too_large', detail)

// One level of objects is read like members beside them. Null is left out, and arrays are JSON. Counted before anything is
// converted: to write 20,000 numbers takes half a second.
function flattened(json: Record<string, unknown>): [string, string][] {
  const members: [string, unknown][] = []
  for (const [name, value] of Object.entries(json)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) members.push([name, value])
    else for (const member of Object.entries(value)) if (members.push(member) > MOST_PARAMETERS) break
    if (members.length > MOST_PARAMETERS) throw tooLarge(`There are more than ${MOST_PARAMETERS} parameters.`)
  }
  return members.flatMap(([name, value]) => asText(name, value))
}

function asText(name: string, value: unknown): [string, string][] {
  if (value === null || value === undefined || name === 'device_keys') return []
  if (typeof value === 'number') return [[name, plainDecimal(value)]]
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
}

const plainDecimal = (value: number): string =>
  Math.abs(value) < 1e21
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : String(value)

// A comma too many is none, but half a million of them take long to tell apart.
const MOST_COMMAS = 1000

function readKeys(value: unknown): string[] | undefined {
  const keys = typeof value === 'string' ? value.split(',', MOST_COMMAS).map((key) => key.trim()) : value
  if (!Array.isArray(keys)) return undefined
  const texts = keys.filter((key): key is string => typeof key === 'string' && key !== '')
  if (texts.length === 0) return undefined
  if (texts.length <= LIMITS.bark.maxKeysPerBatch && keys.length < MOST_COMMAS) return texts
  throw new Problem('request.body_invalid', `A batch has at most ${LIMITS.bark.maxKeysPerBatch} device keys.`)
}

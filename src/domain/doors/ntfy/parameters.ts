// The parameters of a message for ntfy. Each has several names, as a header and in the query.
import { storableText } from '../../text.ts'
import { decodeHeaderText } from './header-text.ts'
import { NtfyRefusal } from './refusal.ts'

// In the order in which ntfy looks.
const NAMES = {
  message: ['x-message', 'message', 'm'],
  title: ['x-title', 'title', 'ti', 't'],
  priority: ['x-priority', 'priority', 'prio', 'p'],
  tags: ['x-tags', 'tags', 'tag', 'ta'],
  delay: ['x-delay', 'delay', 'x-at', 'at', 'x-in', 'in'],
  actions: ['x-actions', 'actions', 'action'],
  click: ['x-click', 'click'],
  icon: ['x-icon', 'icon'],
  attach: ['x-attach', 'attach', 'a'],
  filename: ['x-filename', 'filename', 'file', 'f'],
  markdown: ['x-markdown', 'markdown', 'md'],
  email: ['x-email', 'x-e-mail', 'email', 'e-mail', 'mail', 'e'],
  call: ['x-call', 'call'],
  cache: ['x-cache', 'cache'],
  unifiedPush: ['x-unifiedpush', 'unifiedpush', 'up'],
  pollId: ['x-poll-id', 'poll-id'],
  sequence: ['x-sequence-id', 'sequence-id', 'sid'],
  template: ['x-template', 'template', 'tpl'],
} as const

export type NtfyParameter = keyof typeof NAMES
const PARAMETERS = Object.keys(NAMES) as NtfyParameter[]
// Each name with its parameter, and its rank among the names of that parameter.
const MEANINGS = new Map(
  PARAMETERS.flatMap((parameter) =>
    NAMES[parameter].map((name, rank) => [name as string, { parameter, rank }] as const),
  ),
)
export type NtfyParameters = Partial<Record<NtfyParameter, string>> & { contentType?: string; contentEncoding?: string }

// `headers`: as they came, with names in lower case. `json`: the members of a JSON body, which come before the headers.
export type ParameterSource = {
  headers: ReadonlyMap<string, string>
  query: URLSearchParams
  json?: Partial<Record<NtfyParameter, string>>
}

export function readParameters({ json = {}, headers, query }: ParameterSource): NtfyParameters {
  const parameters: NtfyParameters = {
    contentType: headers.get('content-type'),
    contentEncoding: headers.get('content-encoding'),
  }
  const inHeaders = findParameters(headers, headerText)
  const inQuery = findParameters(query, (_name, value) => value)
  for (const parameter of PARAMETERS) {
    const value = json[parameter]?.trim() || inHeaders[parameter]?.value || inQuery[parameter]?.value
    if (value !== undefined) parameters[parameter] = storableText(value)
  }
  return parameters
}

type Found = Partial<Record<NtfyParameter, { value: string; rank: number }>>

// Looks up the names that a request has: they are fewer than those that it could have.
function findParameters(
  given: Iterable<[string, string]>,
  read: (name: string, value: string) => string | undefined,
): Found {
  const found: Found = {}
  for (const [name, text] of given) {
    const meaning = MEANINGS.get(name)
    if (!meaning) continue
    const { parameter, rank } = meaning
    const known = found[parameter]
    const value = known && known.rank <= rank ? undefined : read(name, text)?.trim()
    if (value) found[parameter] = { value, rank }
  }
  return found
}

// The first header of these names, or else the first of the query. For the few parameters of a subscription.
export const readParameter = (names: readonly string[], { headers, query }: ParameterSource): string | undefined =>
  first(names, (name) => headerText(name, headers.get(name))) || first(names, (name) => query.get(name))

// The first value that is more than white space.
function first(names: readonly string[], read: (name: string) => string | null | undefined): string | undefined {
  for (const name of names) {
    const value = read(name)?.trim()
    if (value) return value
  }
  return undefined
}

// Cloudflare adds the header Priority of RFC 9218 to requests.
const HTTP_PRIORITY = /^u=\d(,\s*(i|\d))?$/

function headerText(name: string, value: string | undefined): string | undefined {
  if (value === undefined || (name === 'priority' && HTTP_PRIORITY.test(value.trim()))) return undefined
  return decodeHeaderText(value)
}

export const isYes = (value: string | undefined): boolean => /^(1|yes|true)$/i.test(value ?? '')

export function readPriority(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const index = PRIORITIES.findIndex((names) => names.includes(value.toLowerCase()))
  if (index === -1) throw new NtfyRefusal(40007)
  return index + 1
}

const PRIORITIES = [
  ['1', 'min'],
  ['2', 'low'],
  ['3', 'default'],
  ['4', 'high'],
  ['5', 'max', 'urgent'],
]

export function readTags(value: string | undefined): string[] | undefined {
  if (value === undefined) return undefined
  const tags = value.split(',').map((tag) => tag.trim())
  const given = tags.filter((tag) => tag !== '')
  return given.length > 0 ? given : undefined
}

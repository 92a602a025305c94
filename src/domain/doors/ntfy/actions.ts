// The buttons of a message for ntfy, as a JSON array or in ntfy's short form:
//   view, Open, https://a.example; http, "Close, now", https://a.example/close, method=PUT, clear=true
import { NtfyRefusal } from './refusal.ts'

// Keeps its wire names: apps of ntfy get it back as it is.
export type NtfyAction = {
  id: string
  action: string
  label: string
  clear: boolean
  url?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  intent?: string
  extras?: Record<string, string>
  value?: string
}

const MOST_ACTIONS = 3
const WITH_URL = ['view', 'http']
const KINDS = [...WITH_URL, 'broadcast', 'copy']

export function parseActions(text: string, newActionId: () => string): NtfyAction[] {
  const drafts = text.trimStart().startsWith('[') ? fromJson(text) : fromShortForm(text)
  if (drafts.length > MOST_ACTIONS) throw refuse(`only ${MOST_ACTIONS} actions allowed`)
  return drafts.map((draft) => checkAction(newActionId(), draft))
}

type Draft = Omit<Partial<NtfyAction>, 'id'>

function checkAction(id: string, draft: Draft): NtfyAction {
  const { action: kind = '', label, clear = false, method: given, ...rest } = draft
  const action = kind.toLowerCase()
  const method = given?.toUpperCase()
  if (!KINDS.includes(action)) throw refuse(`action '${kind.slice(0, 50)}' unknown`)
  if (!label) throw refuse("parameter 'label' is required")
  if (WITH_URL.includes(action) && !rest.url) throw refuse(`parameter 'url' is required for action '${action}'`)
  if (action === 'copy' && !rest.value) throw refuse("parameter 'value' is required for action 'copy'")
  if (action === 'http' && rest.body && (method === 'GET' || method === 'HEAD')) {
    throw refuse(`parameter 'body' cannot be set if method is ${method}`)
  }
  const members = Object.entries({ method, ...rest }).filter(([, member]) => member !== undefined && member !== '')
  return { id, action, label, clear, ...Object.fromEntries(members) }
}

const TEXTS = ['action', 'label', 'url', 'method', 'body', 'intent', 'value'] as const
const MAPS = ['headers', 'extras'] as const

function fromJson(text: string): Draft[] {
  let actions: unknown
  try {
    actions = JSON.parse(text)
  } catch {
    throw refuse('JSON error: not valid JSON')
  }
  if (!Array.isArray(actions)) throw refuse('JSON error: not an array')
  return actions.slice(0, MOST_ACTIONS + 1).map(fromJsonObject)
}

// Go decodes null as an absent member and ignores unknown ones.
function fromJsonObject(action: unknown): Draft {
  if (typeof action !== 'object' || action === null) throw refuse('JSON error: not an object')
  const members = action as Record<string, unknown>
  const draft: Draft = {}
  for (const name of TEXTS) {
    const member = members[name] ?? undefined
    if (member !== undefined && typeof member !== 'string') throw refuse(`JSON error: '${name}' is not a string`)
    draft[name] = member
  }
  const clear = members.clear ?? false
  if (typeof clear !== 'boolean') throw refuse("JSON error: 'clear' is not a boolean")
  for (const name of MAPS) draft[name] = textMap(name, members[name] ?? undefined)
  return { ...draft, clear }
}

function textMap(name: string, value: unknown): Record<string, string> | undefined {
  if (value === undefined) return undefined
  const isMap = typeof value === 'object' && !Array.isArray(value)
  if (!isMap || !Object.values(value as object).every((member) => typeof member === 'string')) {
    throw refuse(`JSON error: '${name}' is not a map of strings`)
  }
  return value as Record<string, string>
}

type Field = { name: string | undefined; value: string }

function fromShortForm(text: string): Draft[] {
  const drafts: Draft[] = []
  let fields: Field[] = []
  // A comma at the end announces a field, a semicolon does not announce an action.
  for (let at = 0, end = ''; (at < text.length || end === ',') && drafts.length <= MOST_ACTIONS; ) {
    const field = readField(text, at)
    fields.push(field)
    at = field.at
    end = field.end
    if (end === ',') continue
    drafts.push(fromFields(fields))
    fields = []
  }
  return drafts
}

const NAME = /\s*(?:([-.\w]+)\s*=\s*)?/y
// Values without quotes hold no comma and no semicolon.
const BARE = /([^,;]*)([,;]|$)/y
const QUOTED: Record<string, RegExp> = {
  '"': /"((?:\\.|[^"\\])*)"\s*([,;]|$)/sy,
  "'": /'((?:\\.|[^'\\])*)'\s*([,;]|$)/sy,
}

// `at`: the position after the field. `end`: the comma or semicolon before it.
function readField(text: string, start: number): Field & { at: number; end: string } {
  const [before = '', name] = matchAt(NAME, text, start) ?? []
  const from = start + before.length
  const quoted = QUOTED[text[from] ?? '']
  const match = matchAt(quoted ?? BARE, text, from)
  if (!match) throw refuse(`unexpected character or end of input, quote started at position ${from}`)
  const [whole, value = '', end = ''] = match
  return { name, value: quoted ? value.replace(/\\(["'])/g, '$1') : value.trim(), at: from + whole.length, end }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function fromFields(fields: Field[]): Draft {
  const draft: Draft = {}
  const maps: Record<(typeof MAPS)[number], [string, string][]> = { headers: [], extras: [] }
  for (const [index, { name: given, value }] of fields.entries()) {
    const name = given ?? nameAt(index, draft.action?.toLowerCase())
    if (name === undefined) throw refuse(`term '${value.slice(0, 50)}' unknown`)
    const map = MAPS.find((one) => name.startsWith(`${one}.`))
    const text = TEXTS.find((one) => one === name.toLowerCase())
    if (map) maps[map].push([name.slice(map.length + 1), value])
    else if (text) draft[text] = value
    else if (name.toLowerCase() === 'clear') draft.clear = readClear(value)
    else throw refuse(`key '${name.slice(0, 50)}' unknown`)
  }
  for (const name of MAPS) if (maps[name].length > 0) draft[name] = Object.fromEntries(maps[name])
  return draft
}

function nameAt(index: number, action: string | undefined): string | undefined {
  if (index === 0) return 'action'
  if (index === 1) return 'label'
  if (index !== 2) return undefined
  return action === 'copy' ? 'value' : WITH_URL.includes(action ?? '') ? 'url' : undefined
}

function readClear(value: string): boolean {
  const answer = ['false', 'no', '0', 'true', 'yes', '1'].indexOf(value.toLowerCase())
  if (answer === -1) throw refuse(`'clear=${value.slice(0, 50)}' not allowed`)
  return answer > 2
}

const refuse = (reason: string) => new NtfyRefusal(40018, reason)

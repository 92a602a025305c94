// Reads the body of a request to a hook: JSON whatever its media type says, a form, the query, or text.
import { LIMITS } from '../../../contract/limits.ts'
import { readForm } from '../forms.ts'
import { membersOf, textOf } from './members.ts'
import type { HookDocument } from './message.ts'
import type { HookRequest } from './request.ts'

export async function readDocument({ headers, query: queryText, body }: HookRequest): Promise<HookDocument> {
  const text = body.toString()
  const query = Object.fromEntries(new URLSearchParams(queryText.slice(0, MOST_QUERY_CHARS)))
  return { headers, query, text, json: await jsonOf(headers['content-type'] ?? '', text, body, query) }
}

const MOST_QUERY_CHARS = 16 * 1024
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i

async function jsonOf(type: string, text: string, body: HookRequest['body'], query: Record<string, string>) {
  if (text.trim() === '') return Object.keys(query).length > 0 ? query : undefined
  // curl sends JSON as a form unless it is told otherwise.
  const json = parsed(text)
  if (json !== undefined || !FORM.test(type)) return json
  const fields = await readForm(type, body).catch(() => undefined)
  return fields && fromFields(Object.fromEntries(fields))
}

// Fields in which senders put the whole document: GitHub and Slack, Discord, Uptime Kuma.
const DOCUMENT_FIELDS = ['payload', 'payload_json', 'data']

function fromFields(fields: Record<string, string>): unknown {
  const documents = DOCUMENT_FIELDS.map((name) => parsed(textOf(fields[name])))
  return documents.find((json) => Object.keys(membersOf(json)).length > 0) ?? fields
}

// Text that is JSON, parsed; everything else as it is.
export const parsedOr = (value: unknown): unknown => (typeof value === 'string' ? (parsed(value) ?? value) : value)

// Undefined unless it is an object or a list.
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || !isFlatEnough(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Functions that walk through the document are recursive. Brackets inside of strings count, too, which no sender of ours
// nests that deep.
function isFlatEnough(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 123 || char === 91) depth++
    else if (char === 125 || char === 93) depth--
    if (depth > LIMITS.hook.maxJsonDepth) return false
  }
  return true
}

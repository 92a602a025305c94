// Reads the body of a request to a hook: JSON whatever its media type says, a form, the query, or text.
import { LIMITS } from '../../contract/limits.ts'
import { isForm, readEncodedFields, readForm } from '../doors/forms.ts'
import { endOfString } from '../text.ts'
import { membersOf, textOf } from './members.ts'
import type { HookDocument } from './message.ts'
import type { HookRequest } from './request.ts'

export async function readDocument({ headers, query: queryText, body }: HookRequest): Promise<HookDocument> {
  const text = body.toString()
  const query = Object.fromEntries(new URLSearchParams(queryText.slice(0, MOST_QUERY_CHARS)))
  return { headers, query, text, json: await jsonOf(headers['content-type'] ?? '', text, body, query) }
}

const MOST_QUERY_CHARS = 16 * 1024
const LOOKS_LIKE_JSON = /^\s*[[{]/
const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i

async function jsonOf(type: string, text: string, body: HookRequest['body'], query: Record<string, string>) {
  if (text.trim() === '') return Object.keys(query).length > 0 ? query : undefined
  // curl sends JSON as a form unless it is told otherwise, and so do senders that break it by a quotation mark.
  if (LOOKS_LIKE_JSON.test(text)) return parsed(text)
  if (!FORM.test(type)) return undefined
  const fields = await formFields(type, text, body)
  return fields && fromFields(fields)
}

async function formFields(type: string, text: string, body: HookRequest['body']) {
  try {
    // Decoding a megabyte a second time would take as long as all the rest.
    return Object.fromEntries(isForm(type) ? readEncodedFields(text) : await readForm(type, body))
  } catch {
    return undefined
  }
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
  if (!LOOKS_LIKE_JSON.test(text) || !isSmallEnough(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Parsing many values takes long, and functions that walk through a document are recursive.
function isSmallEnough(text: string): boolean {
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"') i = endOfString(text, i)
    else if (char === ',') values++
    else if (char === '{' || char === '[') {
      depth++
      values++
    } else if (char === '}' || char === ']') depth--
    if (depth > LIMITS.request.maxJsonDepth || values > LIMITS.request.maxJsonValues) return false
  }
  return true
}

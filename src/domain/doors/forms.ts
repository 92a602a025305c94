// Forms, as HTML encodes them.
import { Buffer } from 'node:buffer'
import { Problem } from '../../contract/problems.ts'
import { boundaryOf, collect, readParts } from './multipart.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
export const isForm = (mediaType: string): boolean => mediaType.toLowerCase().startsWith(FORM_TYPE)

// The text fields of a form in one of its two media types.
export async function readForm(mediaType: string, body: Buffer): Promise<URLSearchParams> {
  if (isForm(mediaType)) return new URLSearchParams(readEncodedFields(body.toString()))
  const boundary = boundaryOf(mediaType)
  if (boundary === undefined) throw new Problem('request.body_invalid', 'The form has no boundary.')
  const fields = new URLSearchParams()
  for await (const { name, fileName, content } of readParts([body], boundary, body.length)) {
    if (fileName === undefined) fields.append(name, (await collect(content, body.length)).toString())
  }
  return fields
}

// Reading 250,000 fields would block the event loop for half a second.
const MOST_FIELDS = 1000
const MOST_MALFORMED_CHARS = 64 * 1024

// URLSearchParams takes half a second for a megabyte of escapes.
export function readEncodedFields(text: string): [name: string, value: string][] {
  const fields = text === '' ? [] : withSpaces(text).split('&', MOST_FIELDS + 1)
  if (fields.length > MOST_FIELDS) {
    throw new Problem('request.body_invalid', `The form has more than ${MOST_FIELDS} fields.`)
  }
  return fields.map((field) => {
    const equals = field.indexOf('=')
    return equals === -1 ? [decode(field), ''] : [decode(field.slice(0, equals)), decode(field.slice(equals + 1))]
  })
}

const PLUS = 43
const SPACE = 32

// replaceAll takes 50 ms or more for a megabyte of plus signs, this loop 3 ms.
function withSpaces(text: string): string {
  if (!text.includes('+')) return text
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === PLUS) bytes[i] = SPACE
  return bytes.toString()
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // Escapes that are not UTF-8. URLSearchParams reads them, too slowly for a long text.
    if (text.length > MOST_MALFORMED_CHARS) throw new Problem('request.body_invalid', 'The form is not UTF-8.')
    return new URLSearchParams(`_=${text}`).get('_') ?? ''
  }
}

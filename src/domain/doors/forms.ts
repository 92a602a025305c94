// Forms, as HTML encodes them in two media types. The time to read one is bounded whatever is in it.
import type { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import { Problem } from '../../contract/problems.ts'
import { boundaryOf, collect, readParts } from './multipart.ts'

const URL_ENCODED = 'application/x-www-form-urlencoded'

export const isUrlEncoded = (contentType: string): boolean => contentType.toLowerCase().startsWith(URL_ENCODED)

// The text fields of a form; none if the media type is another one.
export async function readForm(contentType: string, body: Buffer): Promise<URLSearchParams> {
  const boundary = boundaryOf(contentType)
  if (boundary !== undefined) return readTextParts(body, boundary)
  return new URLSearchParams(isUrlEncoded(contentType) ? readUrlEncoded(body.toString()) : [])
}

const MOST_FIELDS = 1000
const MOST_UNREADABLE_CHARS = 64 * 1024

// URLSearchParams takes half a second for a megabyte of escapes.
export function readUrlEncoded(text: string): [name: string, value: string][] {
  const fields = text === '' ? [] : text.split('&', MOST_FIELDS + 1)
  if (fields.length > MOST_FIELDS) {
    throw new Problem('request.body_invalid', `The form has more than ${MOST_FIELDS} fields.`)
  }
  return fields.map((field) => {
    const equals = field.indexOf('=')
    return equals === -1 ? [decode(field), ''] : [decode(field.slice(0, equals)), decode(field.slice(equals + 1))]
  })
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Escapes that are not UTF-8. URLSearchParams reads them, too slowly for a long text.
    if (text.length > MOST_UNREADABLE_CHARS) throw new Problem('request.body_invalid', 'The form is not UTF-8.')
    return new URLSearchParams(`_=${text}`).get('_') ?? ''
  }
}

async function readTextParts(body: Buffer, boundary: string): Promise<URLSearchParams> {
  const fields = new URLSearchParams()
  for await (const { name, fileName, content } of readParts(Readable.from([body]), boundary)) {
    if (fileName === undefined) fields.append(name, (await collect(content, body.length)).toString())
  }
  return fields
}

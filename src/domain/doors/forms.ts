// Forms, as HTML encodes them.
import type { Buffer } from 'node:buffer'
import { Problem } from '../../contract/problems.ts'

// Reading 250,000 fields would block the event loop for half a second.
const MOST_FIELDS = 1000

// The text fields of a form in one of its two media types.
export async function readForm(type: string, body: Buffer): Promise<URLSearchParams> {
  const separator = /\bboundary="?([^";\s]+)/i.exec(type)?.[1] ?? '&'
  if (!hasAtMost(MOST_FIELDS, separator, body)) {
    throw new Problem('request.body_invalid', `The form has more than ${MOST_FIELDS} fields.`)
  }
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return new URLSearchParams(texts)
  } catch {
    throw new Problem('request.body_invalid', 'The form cannot be read.')
  }
}

function hasAtMost(count: number, separator: string, body: Buffer): boolean {
  let at = body.indexOf(separator)
  for (let found = 0; at !== -1; found++) {
    if (found > count) return false
    at = body.indexOf(separator, at + separator.length)
  }
  return true
}

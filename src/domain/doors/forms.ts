// Forms, as HTML encodes them.
import type { Buffer } from 'node:buffer'
import { Problem } from '../../contract/problems.ts'

// The text fields of a form in one of its two media types.
export async function readForm(type: string, body: Buffer): Promise<URLSearchParams> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return new URLSearchParams(texts)
  } catch {
    throw new Problem('request.body_invalid', 'The form cannot be read.')
  }
}

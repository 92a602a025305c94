// The body of a kept request as text to read.
import type { HookRequestView } from '../../../src/contract/hooks.ts'

type Body = Pick<HookRequestView, 'body' | 'body_encoding' | 'body_bytes'>

// JSON is indented; everything else stays as it came.
export function prettyBody({ body, body_encoding }: Pick<Body, 'body' | 'body_encoding'>): string {
  if (body_encoding === 'base64') return body
  const document = parsedDocument(body)
  return document === undefined ? body : JSON.stringify(document, null, 2)
}

// Undefined if the text is no JSON object or array.
export function parsedDocument(text: string): object | undefined {
  try {
    const document = JSON.parse(text)
    return typeof document === 'object' && document !== null ? document : undefined
  } catch {
    return undefined
  }
}

// The server keeps the beginning of a long body.
export function isCut({ body, body_encoding, body_bytes }: Body): boolean {
  const kept = body_encoding === 'base64' ? atob(body).length : new TextEncoder().encode(body).length
  return kept < body_bytes
}

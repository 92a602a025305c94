// Files that a command sends: as the body of a request, or as parts of a form after its JSON.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { errorCode } from '../../domain/errors.ts'
import { ClientError, EXIT_CODES } from './errors.ts'

export class Payload {
  readonly bytes: Buffer
  readonly type: string

  constructor(bytes: Buffer, type = 'application/octet-stream') {
    this.bytes = bytes
    this.type = type
  }
}

export function readPayload(path: string): Payload {
  try {
    return new Payload(readFileSync(path))
  } catch (error) {
    throw new ClientError(EXIT_CODES.usage, `cannot read ${path} (${errorCode(error)})`)
  }
}

// `first`: the name of the part with the JSON.
export function formOf(first: string, document: object, paths: string[]): Payload {
  const boundary = `heliograph-${randomBytes(12).toString('hex')}`
  const part = (head: string, content: Buffer) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]
  const files = paths.flatMap((path) => part(`name="file"; filename="${quoted(path)}"`, readPayload(path).bytes))
  const json = part(`name="${first}"`, Buffer.from(JSON.stringify(document)))
  const bytes = Buffer.concat([...json, ...files, Buffer.from(`--${boundary}--\r\n`)])
  return new Payload(bytes, `multipart/form-data; boundary=${boundary}`)
}

// Quoted as browsers do it in a form.
const quoted = (path: string) => basename(path).replace(/["\r\n]/g, (char) => encodeURIComponent(char))

// Bodies that are cheap to send and were, or would be, expensive to read, in each media type that a route may take.
import { openSocket } from '../raw-http.ts'

export type HostileBody = { what: string; type: string; bytes: Buffer; isChunked?: boolean }

const MB = 1024 * 1024
export const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=x'
const BOUNDARY = 'a'.repeat(70)

const part = (name: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nv\r\n`
const repeat = (count: number, entry: (n: number) => string) => Array.from({ length: count }, (_, n) => entry(n)).join()

const JSON_TEXTS: Record<string, string> = {
  'nested 5,000 deep': '{"a":'.repeat(5000),
  'the same name 19,000 times': `{${repeat(19_000, () => '"a":1')}}`,
  '19,000 names': `{${repeat(19_000, (n) => `"k${n}":1`)}}`,
  '80,000 names': `{${repeat(80_000, (n) => `"k${n}":1`)}}`,
  '500,000 values': `{"a":[${repeat(500_000, () => '0')}]}`,
  'a string of 1 MB': `{"a":"${'x'.repeat(MB - 100)}"}`,
  'a megabyte of escaped quotes': `{"a":"${'\\"'.repeat(MB / 2 - 50)}"}`,
  '100,000 halves of surrogate pairs': `{"a":"${'\\ud800'.repeat(100_000)}"}`,
}
const FORM_TEXTS: Record<string, string> = {
  '500,000 fields': 'a&'.repeat(500_000),
  '30,000 fields': 'a&'.repeat(30_000),
  '1,000 times the same name': 'a=1&'.repeat(1000),
  'a megabyte of plus signs': '+'.repeat(MB),
  'a megabyte of escapes': `a=${'%41'.repeat(340_000)}`,
  'escapes that are not UTF-8': `${'%ff'.repeat(340)}&`.repeat(1000),
}
const MULTIPART_TEXTS: Record<string, string> = {
  '1,000 parts': Array.from({ length: 1000 }, (_, n) => part(`n${n}`)).join(''),
  'a header of 100 KB': `--x\r\nContent-Disposition: ${';a=1'.repeat(25_000)}`,
  '100 headers of 8 KB': `--x\r\nContent-Disposition: ${'; '.repeat(4000)}\r\n\r\nv\r\n`.repeat(100),
  'a megabyte before the first part': '\r\n--'.repeat(MB / 4),
}

const bodiesOf = (type: string, texts: Record<string, string>): HostileBody[] =>
  Object.entries(texts).map(([what, text]) => ({ what, type, bytes: Buffer.from(text) }))

// Has no end: the sender never gets to it.
export const chunksOfOneByte = (type: string, count: number): HostileBody => ({
  what: 'chunks of one byte',
  type,
  bytes: Buffer.from('1\r\na\r\n'.repeat(count)),
  isChunked: true,
})

const MEDIA_TYPES = [JSON_TYPE, 'application/merge-patch+json', FORM, MULTIPART, 'text/plain']

export const hostileBodies = (chunks: number): HostileBody[] => [
  ...MEDIA_TYPES.map((type) => chunksOfOneByte(type, chunks)),
  ...bodiesOf(JSON_TYPE, JSON_TEXTS),
  ...bodiesOf('application/merge-patch+json', { 'nested 5,000 deep': '{"a":'.repeat(5000) }),
  ...bodiesOf(FORM, FORM_TEXTS),
  ...bodiesOf(MULTIPART, MULTIPART_TEXTS),
  ...bodiesOf(`multipart/form-data; boundary=${BOUNDARY}`, {
    'a megabyte of almost delimiters': `\r\n--${BOUNDARY.slice(1)}b`.repeat(MB / 74),
  }),
  ...bodiesOf('text/plain', { 'a text of 1 MB': 'x'.repeat(MB) }),
]

export type HostileAnswer = { status: number; text: string }
type Target = { method: string; path: string; headers?: string[]; localAddress?: string }

// Sends without waiting for an answer, as an attacker does. After a body in chunks, which has no end, the server must close
// the connection.
export async function sendHostile(
  url: string,
  { method, path, headers = [], localAddress }: Target,
  { type, bytes, isChunked }: HostileBody,
): Promise<HostileAnswer> {
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`
  const head = [`${method} ${path} HTTP/1.1`, 'Host: a', `Content-Type: ${type}`, framing, ...headers, '', '']
  const socket = await openSocket(url, localAddress)
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
    if (!isChunked && isWhole(text)) socket.destroy()
  })
  socket.write(head.join('\r\n'))
  socket.write(bytes)
  // Not `once`, which fails when the connection is reset; what came before that counts.
  await new Promise((resolve) => socket.on('close', resolve))
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n')
  const bytes = /^content-length: (\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0
  return end !== -1 && Buffer.byteLength(answer.slice(end + 4)) >= Number(bytes)
}

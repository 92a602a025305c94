// Calls the API over HTTP, and fails the test when an answer has a status its route does not declare.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Dispatcher, request } from 'undici'

export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  body: any
  text: string
}

export type Call = { token?: string; body?: unknown; raw?: string | Uint8Array; headers?: Record<string, string> }

export type TestClient = {
  url: string
  call(method: string, path: string, call?: Call): Promise<Answer>
  get(path: string, token?: string): Promise<Answer>
  post(path: string, body?: unknown, token?: string): Promise<Answer>
  put(path: string, body?: unknown, token?: string): Promise<Answer>
  patch(path: string, body: unknown, token?: string): Promise<Answer>
  del(path: string, token?: string): Promise<Answer>
}

// `connections`: other than those that all tests of the process share.
export function createClient(url: string, connections?: Dispatcher): TestClient {
  async function call(method: string, path: string, { token, body, raw, headers }: Call = {}): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await exchange(url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload,
      ...(connections && { dispatcher: connections }),
    })
    assertDeclared(method, path, answer.status)
    const text = decode(answer.bytes, answer.headers.get('content-encoding'))
    const isJson = answer.headers.get('content-type')?.includes('json')
    return { status: answer.status, headers: answer.headers, text, body: isJson && text ? JSON.parse(text) : undefined }
  }

  return {
    url,
    call,
    get: (path, token) => call('GET', path, { token }),
    post: (path, body, token) => call('POST', path, { token, body }),
    put: (path, body, token) => call('PUT', path, { token, body }),
    patch: (path, body, token) => call('PATCH', path, { token, body }),
    del: (path, token) => call('DELETE', path, { token }),
  }
}

export class NoAnswer extends Error {}

// Not fetch: it takes as much CPU time as the server does to answer.
async function exchange(url: string, sent: Parameters<typeof request>[1]) {
  try {
    const { statusCode, headers, body } = await request(url, sent)
    return { status: statusCode, headers: headersOf(headers), bytes: Buffer.from(await body.arrayBuffer()) }
  } catch (cause) {
    throw new NoAnswer(`${url} gave no answer`, { cause })
  }
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const pairs = Object.entries(received).flatMap(([name, values = []]) => [values].flat().map((value) => [name, value]))
  return new Headers(pairs as [string, string][])
}

function decode(bytes: Buffer, encoding: string | null): string {
  if (bytes.length === 0 || encoding === null) return bytes.toString()
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString()
}

type Route = { pattern: RegExp; methods: Record<string, string[]> }

// The committed file; test/generated-documents.test.ts checks that it matches the server.
const OPENAPI_FILE = new URL('../../openapi.json', import.meta.url)

// Paths without a parameter come first, then those with an ending. By their first segment, because a test compares thousands of paths.
const DECLARED: Map<string, Route[]> = readDeclared()

function readDeclared(): Map<string, Route[]> {
  const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  const routes = Object.entries(document.paths)
    .sort(([a], [b]) => openness(a) - openness(b))
    .map(([path, operations]) => ({
      first: firstSegment(path),
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      methods: Object.fromEntries(
        Object.entries(operations).map(([method, { responses }]) => [method.toUpperCase(), Object.keys(responses)]),
      ),
    }))
  return Map.groupBy(routes, ({ first }) => first)
}

function openness(path: string): number {
  return path.includes('}.') ? 1 : path.includes('{') ? 2 : 0
}

function assertDeclared(method: string, path: string, status: number): void {
  const plain = path.split('?')[0] as string
  const route = DECLARED.get(firstSegment(plain))?.find(({ pattern }) => pattern.test(plain))
  const statuses = route?.methods[method]
  if (statuses && !statuses.includes(String(status))) {
    throw new Error(`${method} ${path} answered ${status}, which its route does not declare (${statuses.join(', ')})`)
  }
}

function firstSegment(path: string): string {
  return path.split('/', 2)[1] ?? ''
}

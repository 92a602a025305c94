// Calls the API over HTTP, and fails the test when an answer has a status its route does not declare.
import { readFileSync } from 'node:fs'

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

export function createClient(url: string): TestClient {
  async function call(method: string, path: string, { token, body, raw, headers }: Call = {}): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload as RequestInit['body'],
    })
    const text = await answer.text()
    assertDeclared(method, path, answer.status)
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

type DeclaredStatuses = { pattern: RegExp; methods: Record<string, string[]> }[]

// The committed file; test/generated-documents.test.ts checks that it matches the server.
const OPENAPI_FILE = new URL('../../openapi.json', import.meta.url)

const DECLARED: DeclaredStatuses = readDeclared()

function readDeclared(): DeclaredStatuses {
  const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as {
    paths: Record<string, Record<string, { responses: object }>>
  }
  return Object.entries(document.paths)
    .map(([path, operations]) => ({
      literal: !path.includes('{'),
      pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
      methods: Object.fromEntries(
        Object.entries(operations).map(([method, { responses }]) => [method.toUpperCase(), Object.keys(responses)]),
      ),
    }))
    .sort((a, b) => Number(b.literal) - Number(a.literal))
}

function assertDeclared(method: string, path: string, status: number): void {
  const route = DECLARED.find(({ pattern }) => pattern.test(path.split('?')[0] as string))
  const statuses = route?.methods[method]
  if (statuses && !statuses.includes(String(status))) {
    throw new Error(`${method} ${path} answered ${status}, which its route does not declare (${statuses.join(', ')})`)
  }
}

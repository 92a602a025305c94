// Client of the public API, authenticated by the session cookie. Every failure is an ApiError with a message for the
// person.
import { TEXTS } from '../texts.ts'

export type Violation = { location: string; message: string }
type ProblemBody = { code: string; detail: string; errors?: Violation[] }

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly body: unknown

  constructor(status: number, code: string, message: string, body?: unknown) {
    super(message)
    this.status = status
    this.code = code
    this.body = body
  }
}

export const OFFLINE = 'network.unreachable'

// CSRF protection: without this header the server accepts the cookie for reads only.
export const CONSOLE_HEADERS = { 'x-heliograph-console': '1' }

let onSignedOut = () => {}

// The handler runs when any request finds that the session has ended.
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler
}

async function call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const response = await fetch(path, {
    method,
    headers: { ...CONSOLE_HEADERS, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, OFFLINE, TEXTS.errors.offline)
  })
  const text = await response.text()
  const parsed = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return parsed
  if (response.status === 401) onSignedOut()
  throw toError(response.status, parsed)
}

function toError(status: number, problem: ProblemBody): ApiError {
  const violations = problem.errors?.map(({ location, message }) => `${location.replace(/^body\./, '')} ${message}`)
  return new ApiError(status, problem.code, violations?.join('; ') ?? problem.detail, problem)
}

export const api = {
  get: <Result>(path: string) => call<Result>('GET', path),
  post: <Result>(path: string, body?: unknown) => call<Result>('POST', path, body),
  put: <Result>(path: string, body?: unknown) => call<Result>('PUT', path, body),
  patch: <Result>(path: string, body: unknown) => call<Result>('PATCH', path, body),
  delete: (path: string) => call<void>('DELETE', path),
}

type ListPage<Item> = { items: Item[]; next_cursor?: string }

// Reads all pages of a list. `parameter` is the query parameter that takes the cursor.
export async function allPages<Item>(path: string, parameter = 'cursor'): Promise<Item[]> {
  const items: Item[] = []
  for (let next = ''; ; ) {
    const page = await api.get<ListPage<Item>>(path + next)
    items.push(...page.items)
    if (!page.next_cursor) return items
    next = `&${parameter}=${page.next_cursor}`
  }
}

// The violations that the server listed in its problem response.
export const violationsOf = (error: unknown): Violation[] =>
  error instanceof ApiError ? ((error.body as ProblemBody | undefined)?.errors ?? []) : []

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// Resolves to undefined on 404.
export async function unlessMissing<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

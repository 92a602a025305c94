// Calls the public API with the session's cookie. Every refusal arrives as one kind of error with words for the person.
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

// Without it the server does not take the cookie for anything but reading.
export const CONSOLE_HEADERS = { 'x-heliograph-console': '1' }

let onSignedOut = () => {}

// Called when the server no longer knows the session, wherever that is noticed.
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler
}

async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(path, {
    method,
    headers: { ...CONSOLE_HEADERS, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => {
    throw new ApiError(0, OFFLINE, TEXTS.errors.offline)
  })
  const text = await answer.text()
  const parsed = text === '' ? undefined : JSON.parse(text)
  if (answer.ok) return parsed
  if (answer.status === 401) onSignedOut()
  throw toError(answer.status, parsed)
}

function toError(status: number, problem: ProblemBody): ApiError {
  const violations = problem.errors?.map(({ location, message }) => `${location.replace(/^body\./, '')} ${message}`)
  return new ApiError(status, problem.code, violations?.join('; ') ?? problem.detail, problem)
}

export const api = {
  get: <Answer>(path: string) => call<Answer>('GET', path),
  post: <Answer>(path: string, body?: unknown) => call<Answer>('POST', path, body),
  put: <Answer>(path: string, body: unknown) => call<Answer>('PUT', path, body),
  patch: <Answer>(path: string, body: unknown) => call<Answer>('PATCH', path, body),
  delete: (path: string) => call<void>('DELETE', path),
}

type ListPage<Item> = { items: Item[]; next_cursor?: string }

// All items of a list whose pages are bounded in bytes. `parameter` is what takes the cursor.
export async function allPages<Item>(path: string, parameter = 'cursor'): Promise<Item[]> {
  const items: Item[] = []
  for (let next = ''; ; ) {
    const page = await api.get<ListPage<Item>>(path + next)
    items.push(...page.items)
    if (!page.next_cursor) return items
    next = `&${parameter}=${page.next_cursor}`
  }
}

// What exactly is wrong with a request, as far as the server can point at it.
export const violationsOf = (error: unknown): Violation[] =>
  error instanceof ApiError ? ((error.body as ProblemBody | undefined)?.errors ?? []) : []

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

// For what may not be there: the answer, or undefined for a 404.
export async function unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

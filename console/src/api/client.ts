// Client of the public API, authenticated by the session cookie. Every failure is an ApiError with a message for the
// person.
import { TEXTS } from '../texts/base.ts'
import { limitedFor, untilAllowed } from './rate-limit.ts'

export type Violation = { location: string; message: string }
type ProblemBody = { code: string; detail: string; errors?: Violation[]; retry_after_ms?: number }

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

const OFFLINE = 'network.unreachable'

// A request without an answer fails after this time, so that no page waits for ever.
const ANSWER_MS = 10_000

// CSRF protection: without this header the server accepts the cookie for reads only.
export const CONSOLE_HEADERS = { 'x-heliograph-console': '1' }

let onSignedOut = () => {}

// The handler runs when any request finds that the session has ended.
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler
}

export const sessionEnded = (): void => onSignedOut()

type Options = { answerMs?: number }

async function call<Result>(method: string, path: string, body?: unknown, options: Options = {}): Promise<Result> {
  const { status, parsed } = await exchange(method, path, body, options)
  if (status < 400) return parsed as Result
  if (status === 401) onSignedOut()
  const problem = parsed as ProblemBody
  // Loading waits, and the page says so. A change is refused: the person may not want it any more after a minute.
  if (method === 'GET' && problem.code === 'rate_limit.exceeded') {
    limitedFor(problem.retry_after_ms ?? 0)
    return call(method, path, body, options)
  }
  throw toError(status, problem)
}

async function exchange(method: string, path: string, body: unknown, { answerMs = ANSWER_MS }: Options) {
  if (method === 'GET') await untilAllowed()
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), answerMs)
  try {
    const response = await fetch(path, {
      method,
      headers: { ...CONSOLE_HEADERS, ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: deadline.signal,
    })
    const text = await response.text()
    return { status: response.status, parsed: text === '' ? undefined : JSON.parse(text) }
  } catch (error) {
    throw new ApiError(0, OFFLINE, unreachableWords(error, answerMs))
  } finally {
    clearTimeout(timer)
  }
}

function unreachableWords(error: unknown, answerMs: number): string {
  if (error instanceof DOMException && error.name === 'AbortError') return TEXTS.errors.noAnswer(answerMs / 1000)
  // A proxy without a server behind it answers with a page of its own.
  return error instanceof SyntaxError ? TEXTS.errors.notOurs : TEXTS.errors.offline
}

function toError(status: number, problem: ProblemBody): ApiError {
  const violations = problem.errors?.map(({ location, message }) => `${location.replace(/^body\./, '')} ${message}`)
  return new ApiError(status, problem.code, violations?.join('; ') ?? problem.detail, problem)
}

export const api = {
  get: <Result>(path: string, options?: Options) => call<Result>('GET', path, undefined, options),
  post: <Result>(path: string, body?: unknown) => call<Result>('POST', path, body),
  put: <Result>(path: string, body?: unknown) => call<Result>('PUT', path, body),
  patch: <Result>(path: string, body: unknown) => call<Result>('PATCH', path, body),
  delete: <Result = void>(path: string, body?: unknown) => call<Result>('DELETE', path, body),
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

export const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.code === OFFLINE

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

// The service worker in a browser of which the test is the other half: pushes that arrive, and taps on what they show.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

type Shown = { title: string; data: object; tag?: string; actions?: object[]; close(): void }
type Work = { waitUntil(work: Promise<unknown>): void }

const listeners = new Map<string, (event: object) => void>()
let shown: Shown[] = []
let opened: string[] = []
let posted: object[] = []
let windows: { url: string; postMessage(message: object): void; focus(): Promise<void> }[] = []
let requests: { path: string; body: unknown }[] = []
let answer: () => Promise<Response>
let badges: number[] = []

const registration = {
  async showNotification(title: string, options: Omit<Shown, 'title' | 'close'>) {
    const close = () => {
      shown = shown.filter((one) => one !== banner)
    }
    const banner = { title, ...options, close }
    shown = [...shown.filter(({ tag }) => tag !== options.tag), banner]
  },
  getNotifications: async ({ tag }: { tag?: string } = {}) =>
    shown.filter((one) => tag === undefined || one.tag === tag),
}

beforeAll(async () => {
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    registration,
    clients: { matchAll: async () => windows, openWindow: async (url: string) => void opened.push(url) },
  })
  vi.stubGlobal('SHELL_FILES', [])
  vi.stubGlobal('SHELL_VERSION', 'v1')
  vi.stubGlobal('location', { origin: 'https://helio.example' })
  vi.stubGlobal('navigator', { setAppBadge: async (count: number) => void badges.push(count) })
  vi.stubGlobal('indexedDB', emptyDatabase)
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    requests.push({ path, body: body && JSON.parse(body) })
    return answer()
  })
  // By its address: its types are those of a worker, which has no document.
  const file = new URL('../../../console/src/worker/service-worker.ts', import.meta.url).href
  await import(/* @vite-ignore */ file)
})

afterAll(() => vi.unstubAllGlobals())

beforeEach(() => {
  shown = []
  opened = []
  posted = []
  windows = []
  requests = []
  badges = []
  answer = async () => new Response('{}')
})

const emptyDatabase = {
  open() {
    const found = (result: unknown) => {
      const request = { result, onsuccess: () => {} }
      queueMicrotask(() => request.onsuccess())
      return request
    }
    return found({ transaction: () => ({ objectStore: () => ({ get: () => found(undefined) }) }), close() {} })
  },
}

async function happen(type: string, event: object): Promise<void> {
  const working: Promise<unknown>[] = []
  listeners.get(type)?.({ ...event, waitUntil: (work) => void working.push(work) } satisfies Work)
  await Promise.all(working)
}

const push = (message: object) => happen('push', { data: { json: () => message } })

async function tap(tag: string, action = '', reply?: string): Promise<void> {
  const notification = shown.find((one) => one.tag === tag)
  await happen('notificationclick', { notification, action, reply })
}

const MESSAGE = {
  ...{ type: 'notification', notification_id: 7, title: 'Deploy?', body: 'B', level: 'active', badge: 3 },
  ...{ created_at: '2026-11-15T08:00:00Z', answer_ticket: 'ticket' },
  actions: [
    { id: 'yes', title: 'Yes' },
    { id: 'why', title: 'Why?', text_input: true },
    { id: 'log', title: 'Log', url: 'https://example.org/log', foreground: true },
    { id: 'call', title: 'Call', url: 'https://example.org/call', method: 'POST' },
  ],
}
const TAG = 'notification-7'
const openConsole = () =>
  windows.push({
    url: 'https://helio.example/app/',
    postMessage: (one) => void posted.push(one),
    focus: async () => {},
  })

describe('a notification', () => {
  test('is shown with the number of unread ones, and withdrawn with what was read elsewhere', async () => {
    await push(MESSAGE)
    await push({ ...MESSAGE, notification_id: 8 })
    expect([shown.length, badges]).toEqual([2, [3, 3]])
    await push({ type: 'withdraw', withdraw: [7], badge: 1 })
    expect(shown.map(({ tag }) => tag)).toEqual(['notification-8'])
    expect(badges.at(-1)).toBe(1)
    await push({ type: 'something new' })
    expect(shown).toHaveLength(1)
  })

  test('opens its page with a tap: in the open console, else in a new window', async () => {
    await push(MESSAGE)
    await tap(TAG)
    expect([opened, shown]).toEqual([['/app/n/7'], []])
    openConsole()
    await push(MESSAGE)
    await tap(TAG)
    expect([opened, posted]).toEqual([['/app/n/7'], [{ open: '/app/n/7' }]])
  })

  test('is answered by its button; what needs a text that the banner cannot take opens the page', async () => {
    await push(MESSAGE)
    await tap(TAG, 'yes')
    expect(requests).toEqual([{ path: '/answers/ticket', body: { action_id: 'yes' } }])
    await push(MESSAGE)
    await tap(TAG, 'why', 'because')
    expect(requests.at(-1)).toEqual({ path: '/answers/ticket', body: { action_id: 'why', text: 'because' } })
    await push(MESSAGE)
    await tap(TAG, 'why')
    expect([requests.length, opened]).toEqual([2, ['/app/n/7']])
  })

  test('a button with an address opens it, or calls it silently', async () => {
    await push(MESSAGE)
    await tap(TAG, 'log')
    expect([opened, requests]).toEqual([['https://example.org/log'], []])
    await push(MESSAGE)
    await tap(TAG, 'call')
    expect(requests).toEqual([{ path: 'https://example.org/call', body: undefined }])
  })

  test('is shown again with its buttons when an answer fails, and not when another device was first', async () => {
    answer = async () => new Response('{}', { status: 503 })
    await push(MESSAGE)
    await tap(TAG, 'yes')
    expect(shown).toMatchObject([{ title: 'Deploy?', tag: TAG, body: expect.stringContaining('failed') }])
    expect(shown[0]?.actions).toHaveLength(4)
    answer = async () => new Response('{}', { status: 409 })
    await tap(TAG, 'yes')
    expect(shown).toEqual([])
  })
})

describe('an activity', () => {
  const ACTIVITY = {
    ...{ type: 'activity', event: 'update', tag: 'activity-1', id: 'a-uuid', slug: 's', name: 'Release' },
    ...{ content: { state: 'Ship?', options: [{ id: 'ship', title: 'Ship' }] }, answer_ticket: 'ticket' },
  }

  test('is one banner until it is dismissed; a tap opens its page', async () => {
    await push(ACTIVITY)
    await push({ ...ACTIVITY, name: 'Release 2' })
    expect(shown.map(({ title }) => title)).toEqual(['Release 2'])
    await push(MESSAGE)
    await push({ ...ACTIVITY, dismiss: true })
    expect(shown.map(({ tag }) => tag)).toEqual([TAG])
    await push(ACTIVITY)
    await tap('activity-1')
    expect(opened).toEqual(['/app/activities/a-uuid'])
  })

  test('is answered from its banner, which comes back when that fails', async () => {
    await push(ACTIVITY)
    await tap('activity-1', 'ship')
    expect([requests, shown]).toEqual([[{ path: '/answers/ticket', body: { option: 'ship' } }], []])
    answer = () => Promise.reject(new TypeError('offline'))
    await push(ACTIVITY)
    await tap('activity-1', 'ship')
    expect(shown).toMatchObject([{ tag: 'activity-1', body: expect.stringContaining('failed') }])
  })
})

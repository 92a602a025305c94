// A phone with the Gotify app. Its requests are those of gotify-android, in the same form and order.
import { expect, onTestFinished } from 'vitest'
import type { TestApp, TestUser } from '../../../support/app.ts'
import { eventually } from '../../../support/eventually.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
export type GotifyAnswer = { status: number; body: any; text: string }

export type GotifyMessage = {
  id: number
  appid: number
  title: string
  message: string
  priority: number
  extras?: Record<string, Record<string, unknown>>
  date: string
}

export async function request(
  app: TestApp,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<GotifyAnswer> {
  const response = await fetch(`${app.url}/gotify${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson && text ? JSON.parse(text) : undefined, text }
}

export const basic = (user: string, password: string) => ({ authorization: `Basic ${btoa(`${user}:${password}`)}` })

// biome-ignore lint/suspicious/noExplicitAny: the answer of POST /devices/apps.
export async function addGotifyDevice(app: TestApp, user: TestUser, name = 'Pixel'): Promise<any> {
  const added = await app.post('/devices/apps', { kind: 'gotify', name }, user.token)
  expect(added.status).toBe(201)
  return added.body
}

// The log-in of the app: the password gives a token, which the app keeps.
export async function logIn(app: TestApp, device: { user: string; password: string }): Promise<string> {
  const client = await request(app, 'POST', '/client', basic(device.user, device.password), { name: 'Pixel 9' })
  expect(client.status).toBe(200)
  return client.body.token
}

export type Stream = {
  messages: GotifyMessage[]
  // Resolves when the connection has ended.
  ended: Promise<{ code: number; wasClean: boolean }>
  received(count: number): Promise<GotifyMessage[]>
  close(): void
}

export async function openStream(app: TestApp, token: string): Promise<Stream> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/gotify/stream?token=${token}`)
  const messages: GotifyMessage[] = []
  socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))))
  const ended = new Promise<{ code: number; wasClean: boolean }>((resolve) => {
    socket.addEventListener('close', ({ code, wasClean }) => resolve({ code, wasClean }))
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('the stream does not open')))
  })
  onTestFinished(() => socket.close())
  return {
    messages,
    ended,
    async received(count) {
      await eventually(() => expect(messages.length).toBeGreaterThanOrEqual(count))
      return messages
    },
    close: () => socket.close(),
  }
}

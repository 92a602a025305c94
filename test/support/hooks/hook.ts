// A hook of a test, and requests to its address.
import { expect } from 'vitest'
import type { TestApp, TestUser } from '../app.ts'

export type TestHook = {
  id: string
  url: string
  path: string
  user: TestUser
  send(body: unknown, headers?: Record<string, string>): Promise<HookAnswer>
  newest(): Promise<Record<string, unknown>>
  requests(): Promise<{ number: number; outcome: Record<string, unknown>; [member: string]: unknown }[]>
}

export type HookAnswer = { status: number; text: string; headers: Headers }

export async function addHook(app: TestApp, input: object = {}, user?: TestUser): Promise<TestHook> {
  const owner = user ?? (await app.addUser())
  const created = await app.post('/integrations/hooks', { name: 'Hook', kind: 'auto', ...input }, owner.token)
  expect([created.status, created.body]).toEqual([201, created.body])
  const { id, url } = created.body
  const path = `/integrations/hooks/${id}`
  return {
    id,
    url,
    path,
    user: owner,
    send: (body, headers) => sendTo(url, body, headers),
    newest: async () => (await app.get('/notifications?limit=1', owner.token)).body.items[0],
    requests: async () => (await app.get(`${path}/requests`, owner.token)).body.items,
  }
}

// Objects are sent as JSON, everything else as it is.
export async function sendTo(url: string, body: unknown, headers: Record<string, string> = {}): Promise<HookAnswer> {
  const isJson = typeof body === 'object' && !(body instanceof FormData || body instanceof URLSearchParams)
  const answer = await fetch(url, {
    method: 'POST',
    headers: isJson ? { 'content-type': 'application/json', ...headers } : headers,
    body: isJson ? JSON.stringify(body) : (body as string | FormData),
  })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

// Sends requests to the door for ntfy as its senders do.
import { Buffer } from 'node:buffer'
import type { TestApp, TestUser } from '../../../support/app.ts'

export type NtfyAnswer = { status: number; body: Record<string, unknown>; text: string; headers: Headers }

export async function askNtfy(app: TestApp, method: string, path: string, init: RequestInit = {}): Promise<NtfyAnswer> {
  const response = await fetch(`${app.url}/ntfy${path}`, { method, ...init })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text), text, headers: response.headers }
}

// The headers, with the default key of the user. Text goes out in UTF-8, as curl sends it.
export function headersFor({ defaultKey }: TestUser, headers: Record<string, string> = {}): Record<string, string> {
  const sent = Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')])
  return { authorization: `Bearer ${defaultKey}`, ...Object.fromEntries(sent) }
}

export const newestOf = async (app: TestApp, user: TestUser) =>
  (await app.get('/notifications?limit=1', user.token)).body.items[0]

export const inboxOf = async (app: TestApp, user: TestUser) => (await app.get('/notifications', user.token)).body.items

// Sends requests to the door for Pushover as its senders do.
import { expect } from 'vitest'
import type { TestApp, TestUser } from '../../../support/app.ts'

export type PushoverAnswer = { status: number; body: Record<string, unknown>; headers: Headers }

export async function askPushover(
  app: TestApp,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<PushoverAnswer> {
  const response = await fetch(`${app.url}/pushover/1${path}`, { method, ...init })
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

export const USER_KEY = 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG'
export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

// As most senders do: a form with the default key of the user.
export const form = (user: TestUser, fields: Record<string, string> = {}): RequestInit => ({
  body: new URLSearchParams({ token: user.defaultKey, user: USER_KEY, ...fields }),
})

export const newestOf = async (app: TestApp, user: TestUser) =>
  (await app.get('/notifications?limit=1', user.token)).body.items[0]

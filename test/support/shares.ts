// Sharing over the API: activities, codes for them, and accounts that join by a code.
import { expect } from 'vitest'
import type { ShareCodeInput, ShareCodeView, ShareRole, ShareView } from '../../src/contract/shares.ts'
import type { TestUser } from './app.ts'
import type { Answer, TestClient } from './client.ts'

// Answers are checked by status, so that a test fails where its preparation did.
function bodyOf(answer: Answer, status: number) {
  expect(answer.status, answer.text).toBe(status)
  return answer.body
}

// `change` starts it, if it says so.
export async function addActivity(app: TestClient, { token }: TestUser, slug: string, change?: object) {
  const created = bodyOf(await app.post('/activities', { slug, name: slug }, token), 201)
  return change ? bodyOf(await app.patch(`/activities/${slug}`, change, token), 200) : created
}

// `what`: the slug of an activity, or a pattern.
export function createCode(
  app: TestClient,
  { token }: TestUser,
  what: string,
  input: ShareCodeInput = {},
): Promise<Answer> {
  if (!what.endsWith('*')) return app.post(`/activities/${what}/share`, input, token)
  return app.post('/shares/patterns', { slug_pattern: what, ...input }, token)
}

export async function addCode(
  app: TestClient,
  owner: TestUser,
  what: string,
  input?: ShareCodeInput,
): Promise<ShareCodeView> {
  return bodyOf(await createCode(app, owner, what, input), 201)
}

export const join = (app: TestClient, { token }: TestUser, { code }: { code: string }): Promise<Answer> =>
  app.post('/shares/join', { code }, token)

export const codesOf = async (app: TestClient, { token }: TestUser): Promise<ShareCodeView[]> =>
  bodyOf(await app.get('/shares/codes', token), 200).items

export const sharesOf = async (app: TestClient, { token }: TestUser, query = ''): Promise<ShareView[]> =>
  bodyOf(await app.get(`/shares${query}`, token), 200).items

export type Sharing = { owner: TestUser; recipient: TestUser; what: string; role?: ShareRole }

// The recipient joins by a code of its own; returns the share as the recipient sees it.
export async function share(app: TestClient, { owner, recipient, what, role = 'viewer' }: Sharing): Promise<ShareView> {
  return bodyOf(await join(app, recipient, await addCode(app, owner, what, { role })), 201)
}

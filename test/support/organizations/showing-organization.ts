// An organization that shows activities: three members, the groups ops (the first two) and sre (the last two), and a key.
import { expect } from 'vitest'
import type { TestApp, TestUser } from '../app.ts'
import type { Answer } from '../client.ts'
import { addGroup, createOrganization, type TestOrganization } from './organization.ts'

export type ShowingOrganization = TestOrganization & {
  m1: TestUser
  m2: TestUser
  m3: TestUser
  ops: string
  sre: string
  key: string
}

export async function createShowingOrganization(app: TestApp): Promise<ShowingOrganization> {
  const org = await createOrganization(app, 3)
  const [m1, m2, m3] = org.members as [TestUser, TestUser, TestUser]
  const ops = await addGroup(app, org, 'ops', [m1, m2])
  const sre = await addGroup(app, org, 'sre', [m2, m3])
  return { ...org, m1, m2, m3, ops, sre, key: await addActivityKey(app, org) }
}

// `target`: the part of the organization that the key is limited to.
export async function addActivityKey(
  app: TestApp,
  { path, owner }: TestOrganization,
  target?: Record<string, string[]>,
): Promise<string> {
  const input = { name: 'K', permissions: { activities: 'manage' }, ...(target && { target }) }
  return bodyOf(await app.post(`${path}/keys`, input, owner.token), 201).key
}

export const addTag = async (app: TestApp, { path, owner }: TestOrganization, name: string): Promise<string> =>
  bodyOf(await app.post(`${path}/tags`, { name }, owner.token), 201).id

// Creates the activity and starts it.
export async function startActivity(app: TestApp, key: string, slug: string, target?: object): Promise<void> {
  bodyOf(await app.post('/activities', { slug, name: slug, ...(target && { target }) }, key), 201)
  bodyOf(await app.patch(`/activities/${slug}`, showing('1'), key), 200)
}

export const showing = (state: string) => ({ state: 'ongoing', content: { state } })

// Whether each of the people sees the activity.
export const seenBy = (app: TestApp, slug: string, people: TestUser[]): Promise<boolean[]> =>
  Promise.all(people.map(async ({ token }) => (await app.get(`/activities/${slug}`, token)).status === 200))

export const usageOf = async (app: TestApp, { path, owner }: TestOrganization): Promise<number> =>
  (await app.get(path, owner.token)).body.live_activity_updates_used

export function bodyOf(answer: Answer, status: number) {
  expect(answer.status, answer.text).toBe(status)
  return answer.body
}

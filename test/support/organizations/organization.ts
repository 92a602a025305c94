// An organization with an owner, an admin and members, made over HTTP.
import type { TestApp, TestUser } from '../app.ts'

export type TestOrganization = { id: string; path: string; owner: TestUser; admin: TestUser; members: TestUser[] }

export async function createOrganization(app: TestApp, memberCount = 1): Promise<TestOrganization> {
  const owner = await app.addUser()
  const { id } = (await app.post('/orgs', { name: 'Example' }, owner.token)).body
  const path = `/orgs/${id}`
  const [admin, ...members] = await Promise.all(Array.from({ length: memberCount + 1 }, () => app.addUser()))
  if (!admin) throw new Error('an organization has an admin')
  await join(app, { path, owner }, [admin, ...members])
  await app.patch(`${path}/members/${admin.userId}`, { role: 'admin' }, owner.token)
  return { id, path, owner, admin, members }
}

// Joins in this order: the list of members is sorted by the time of joining.
export async function join(
  app: TestApp,
  { path, owner }: Pick<TestOrganization, 'path' | 'owner'>,
  people: TestUser[],
): Promise<void> {
  const code = await invite(app, { path, owner }, { max_uses: people.length })
  for (const { token } of people) {
    app.advanceSeconds(1)
    const { status, text } = await app.post('/orgs/join', { code }, token)
    if (status !== 201) throw new Error(`cannot join: ${text}`)
  }
}

export async function invite(
  app: TestApp,
  { path, owner }: Pick<TestOrganization, 'path' | 'owner'>,
  terms: object = {},
): Promise<string> {
  const { status, body, text } = await app.post(`${path}/invitations`, terms, owner.token)
  if (status !== 201) throw new Error(`cannot invite: ${text}`)
  return body.code
}

export async function addGroup(
  app: TestApp,
  { path, owner }: TestOrganization,
  name: string,
  people: TestUser[] = [],
): Promise<string> {
  const user_ids = people.map(({ userId }) => userId)
  return (await app.post(`${path}/groups`, { name, user_ids }, owner.token)).body.id
}

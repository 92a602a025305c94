// Sends of an organization: its keys, tags on devices, members without an HTTP request each, and what everyone received.
import { randomUUID } from 'node:crypto'
import type { UserId } from '../../../src/domain/caller.ts'
import type { OrgId } from '../../../src/domain/ids.ts'
import { insertUser } from '../../../src/store/accounts/accounts.ts'
import type { Database } from '../../../src/store/engine/database.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { insertMembership } from '../../../src/store/organizations/memberships.ts'
import type { TestApp, TestUser } from '../app.ts'
import type { TestClient } from '../client.ts'
import type { TestOrganization } from './organization.ts'

export type OrgKey = { id: string; key: string }
// As GET /notifications lists it.
export type Entry = { id: number; title: string; org_id?: string; org_name?: string; org_notification_id?: number }

const SENDS = { permissions: { notifications: 'schedule', activities: 'manage' } }

export async function addOrgKey(app: TestApp, { path, owner }: TestOrganization, body: object = {}): Promise<OrgKey> {
  const { status, text, body: key } = await app.post(`${path}/keys`, { name: 'K', ...SENDS, ...body }, owner.token)
  if (status !== 201) throw new Error(`cannot create a key: ${text}`)
  return key
}

export async function addTag(app: TestApp, { path, owner }: TestOrganization, name: string): Promise<string> {
  const { status, text, body } = await app.post(`${path}/tags`, { name }, owner.token)
  if (status !== 201) throw new Error(`cannot add a tag: ${text}`)
  return body.id
}

export async function setTags(app: TestApp, { token }: TestUser, deviceId: string, tags: string[]): Promise<void> {
  const { status, text } = await app.patch(`/devices/${deviceId}`, { tags }, token)
  if (status !== 200) throw new Error(`cannot tag a device: ${text}`)
}

// A device that no push reaches.
export async function addScreen(app: TestApp, { token }: TestUser, tags: string[]): Promise<string> {
  const id = randomUUID()
  const { status, text } = await app.put(`/devices/${id}`, { name: 'Wall', platform: 'web', tags }, token)
  if (status !== 201) throw new Error(`cannot register a device: ${text}`)
  return id
}

// Newest first.
export const inboxOf = async (app: TestClient, { token }: { token: string }): Promise<Entry[]> =>
  (await app.get('/notifications', token)).body.items

export async function entryOf(app: TestClient, person: { token: string }, headId: number): Promise<number> {
  const entry = (await inboxOf(app, person)).find(({ org_notification_id }) => org_notification_id === headId)
  if (!entry) throw new Error(`there is no entry of ${headId}`)
  return entry.id
}

// Whether each of these people has an entry of this notification.
export async function reached(app: TestApp, people: TestUser[], headId: number): Promise<boolean[]> {
  const inboxes = await Promise.all(people.map((person) => inboxOf(app, person)))
  return inboxes.map((entries) => entries.some(({ org_notification_id }) => org_notification_id === headId))
}

// Members without a token, written directly to the database: thousands of joins over HTTP would take too long. A fan-out goes
// in the order of user ids: these come last, or first, of all. Returns their ids in that order.
export async function addMembers(
  db: Database,
  orgId: string,
  count: number,
  joinedAt: number,
  order: 'first' | 'last' = 'last',
): Promise<UserId[]> {
  const prefix = order === 'first' ? '00000000' : 'ffffffff'
  const people = Array.from({ length: count }, () => (prefix + randomUUID().slice(prefix.length)) as UserId).sort()
  const at = joinedAt as Parameters<typeof insertMembership>[1]['joinedAt']
  await db.transact(async (tx) => {
    for (const id of people) {
      await insertUser(tx, { id, name: `member-${id}`, nickname: null, plan: 'free', isOperator: false, createdAt: at })
      await insertMembership(tx, { orgId: orgId as OrgId, userId: id, role: 'member', joinedAt: at })
    }
  })
  return people
}

// How many entries of this notification each member has.
export async function countEntries(db: Database, headId: number): Promise<Map<UserId, number>> {
  const rows = await db.read.all<{ user_id: UserId; count: number }>(sql`select user_id, count(*) as count
    from notifications where org_notification_id = ${headId} group by user_id`)
  return new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]))
}

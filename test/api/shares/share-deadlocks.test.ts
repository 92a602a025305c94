// The lock order of sharing. PostgreSQL ends a deadlock after a second and the transaction that lost runs again, so the
// answers do not tell; the counter of the database does.
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { createTestDatabase, isPostgres } from '../../support/database/database.ts'
import { readDeadlocks } from '../../support/database/deadlocks.ts'
import { untilLockWaits } from '../../support/database/lock-waits.ts'
import { newPushToken } from '../../support/devices/devices.ts'
import { addActivity, addCode, join, share, sharesOf } from '../../support/shares.ts'

const ROUNDS = 2
// So few that no request waits for locks up to the timeout of a statement.
const AT_ONCE = 20
const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f']

type Nodes = { one: TestApp; other: TestApp }
type Person = TestUser & { device: string }

// Runs `use` on two nodes and stops them: a connection reports its deadlocks at the latest when it ends.
async function countDeadlocks(use: (nodes: Nodes) => Promise<void>): Promise<number> {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const one = await startTestApp({}, database)
  const other = await startTestApp({}, database, { clock: one.clock })
  try {
    await use({ one, other })
  } finally {
    await other.stop()
    await one.stop()
  }
  return readDeadlocks(database)
}

// With a phone, so that jobs are enqueued.
async function addPerson(app: TestApp): Promise<Person> {
  const [user, device] = [await app.addUser(), randomUUID()]
  const apns = { device_token: newPushToken(), push_to_start_token: newPushToken(), environment: 'production' }
  await app.put(`/devices/${device}`, { name: 'Phone', platform: 'ios', apns }, user.token)
  return { ...user, device }
}

async function addPeople(app: TestApp, count: number): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < count) people.push(await addPerson(app))
  return people
}

async function addOwner(app: TestApp): Promise<Person> {
  const owner = await addPerson(app)
  for (const slug of SLUGS) await addActivity(app, owner, slug, { state: 'ongoing' })
  return owner
}

type Act = (node: TestApp) => Promise<Answer>

// Everything that two owners and their editors do, in random order.
async function doEverything({ one, other }: Nodes, owners: Person[], editors: Person[]): Promise<void> {
  const acts = editors.flatMap(registrationsOf)
  for (const owner of owners) {
    const code = await addCode(one, owner, '*', { max_uses: 100, role: 'editor' })
    const recipients = [...owners, ...editors].filter((person) => person !== owner)
    acts.push(
      ...recipients.map(
        (person): Act =>
          (node) =>
            join(node, person, code),
      ),
    )
    acts.push(...(await sharesOf(one, owner)).flatMap(({ id }) => changesOfShare(id, owner)))
    for (const slug of SLUGS) acts.push(...changesOfActivity(slug, owner, editors))
  }
  const inRandomOrder = shuffled(acts)
  while (inRandomOrder.length > 0) {
    const some = inRandomOrder.splice(0, AT_ONCE)
    await Promise.all(some.map((act, index) => act(index % 2 ? one : other)))
  }
}

const registrationsOf = ({ token, device }: Person): Act[] =>
  SLUGS.map(
    (slug) => (node) => node.put(`/devices/${device}/activities/${slug}`, { push_update_token: newPushToken() }, token),
  )

const changesOfShare = (id: string, { token }: Person): Act[] => [
  (node) => node.patch(`/shares/${id}`, { role: 'viewer' }, token),
  (node) => node.del(`/shares/${id}`, token),
]

function changesOfActivity(slug: string, owner: Person, editors: Person[]): Act[] {
  const change =
    (patch: object, { token }: Person): Act =>
    (node) =>
      node.patch(`/activities/${slug}`, patch, token)
  const byAll = [owner, ...editors].flatMap((person) => [
    change({ content: { state: randomUUID() } }, person),
    change({ state: 'ongoing' }, person),
  ])
  const replace: Act = async (node) => {
    await node.del(`/activities/${slug}`, owner.token)
    return node.patch(`/activities/${slug}?upsert=true`, { state: 'ongoing' }, owner.token)
  }
  return [...byAll, change({ state: 'ended' }, owner), ...(slug === SLUGS[0] ? [replace] : [])]
}

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

test.runIf(isPostgres())('owners and editors who join, change, end and delete at once do not deadlock', async () => {
  const deadlocks = await countDeadlocks(async (nodes) => {
    const owners = [await addOwner(nodes.one), await addOwner(nodes.one)]
    const editors = await addPeople(nodes.one, 4)
    for (let round = 0; round < ROUNDS; round++) await doEverything(nodes, owners, editors)
  })
  expect(deadlocks).toBe(0)
})

// The end of the share waits for the first of the ongoing activities, the start holds the last of them and waits for the
// first, too.
test.runIf(isPostgres())('a share that ends while an activity starts again does not deadlock', async () => {
  const deadlocks = await countDeadlocks(async ({ one, other }) => {
    const [owner, recipient] = [await addOwner(one), await addPerson(one)]
    const { id } = await share(one, { owner, recipient, what: '*' })
    const { db } = one.app.ctx
    const ongoing = await db.read.all<{ id: string; slug: string }>(sql`select id, slug from activities
      where user_id = ${owner.userId} and state = 'ongoing' order by slug`)
    const setState = (state: string) => one.patch(`/activities/${ongoing.at(-1)?.slug}`, { state }, owner.token)
    const requests = await other.app.ctx.db.transact(async (tx) => {
      await tx.lock(sql`select id from activities where id = ${ongoing[0]?.id ?? ''}`)
      const ending = one.del(`/shares/${id}`, owner.token)
      await untilLockWaits(db, 1)
      expect((await setState('ended')).status).toBe(200)
      const starting = setState('ongoing')
      await untilLockWaits(db, 2)
      return [ending, starting]
    })
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([204, 200])
  })
  expect(deadlocks).toBe(0)
})

// The deletion waits for the activity and then deletes the share; the end of the share waits for the activity, too.
test.runIf(isPostgres())(
  'a share that ends while its activity, which phones still show, is deleted does not deadlock',
  async () => {
    const deadlocks = await countDeadlocks(async ({ one, other }) => {
      const [owner, recipient] = [await addOwner(one), await addPerson(one)]
      const { id, activity_id: activityId } = await share(one, { owner, recipient, what: 'a' })
      const [register] = registrationsOf(recipient)
      expect((await register?.(one))?.status).toBe(204)
      await one.patch('/activities/a', { state: 'ended' }, owner.token)
      const requests = await other.app.ctx.db.transact(async (tx) => {
        await tx.lock(sql`select id from activities where id = ${activityId ?? ''}`)
        const deleting = one.del('/activities/a', owner.token)
        await untilLockWaits(one.app.ctx.db, 1)
        const ending = one.del(`/shares/${id}`, owner.token)
        await untilLockWaits(one.app.ctx.db, 2)
        return [deleting, ending]
      })
      expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([204, 404])
    })
    expect(deadlocks).toBe(0)
  },
)

test.runIf(isPostgres())(
  'accounts with shares of the same owners that are removed at once do not deadlock',
  async () => {
    const deadlocks = await countDeadlocks(async ({ one, other }) => {
      const owners = [await addOwner(one), await addOwner(one)]
      const recipients = await addPeople(one, 12)
      for (const [index, recipient] of recipients.entries()) {
        for (const owner of index % 2 ? owners : owners.toReversed()) await share(one, { owner, recipient, what: '*' })
      }
      await Promise.all(recipients.map(({ name }, index) => removeUser((index % 2 ? one : other).app.ctx, name)))
    })
    expect(deadlocks).toBe(0)
  },
)

// Waits for the receipt of an alert of an organization: members wait on their own slots, senders on the organization's.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWatchedClock } from '../../support/fakes/watched-clock.ts'
import { createOrganization } from '../../support/organizations/organization.ts'
import { addOrgKey, entryOf } from '../../support/organizations/sends.ts'

const clock = createWatchedClock()
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({}, undefined, { clock })
})
afterAll(() => app.stop())

const ALERT = { title: 'Fire', body: 'in the server room', acknowledge: {} }

// Starts a wait and returns once it is held: its slot is taken and its first timer is set.
async function hold(id: number, token: string, orgPath = ''): Promise<{ answer: Promise<Answer> }> {
  const held = clock.alarmsMs.length
  const answer = wait(id, token, orgPath)
  await eventually(() => expect(clock.alarmsMs.length).toBeGreaterThan(held))
  return { answer }
}

const wait = (id: number, token: string, orgPath = '') =>
  app.get(`${orgPath}/notifications/receipts/${id}?wait=25`, token)

async function holdAll(id: number, token: string): Promise<Promise<Answer>[]> {
  const held: Promise<Answer>[] = []
  while (held.length < LIMITS.wait.maxOpen) held.push((await hold(id, token)).answer)
  return held
}

test('each member has four of their own, the organization four for its keys, and all learn of the acknowledgement', async () => {
  const org = await createOrganization(app, 2)
  const [first, second] = org.members as [TestUser, TestUser]
  const { key } = await addOrgKey(app, org)
  const headId = (await app.post('/notifications', ALERT, key)).body.id
  const [entry, other] = [await entryOf(app, first, headId), await entryOf(app, second, headId)]

  const held = await holdAll(entry, first.token)
  expectProblem(await wait(entry, first.token), 429, 'answer_wait.limit_exceeded')
  held.push(...(await holdAll(other, second.token)))
  expectProblem(await wait(other, second.token), 429, 'answer_wait.limit_exceeded')
  held.push(...(await holdAll(headId, key)))
  expectProblem(await wait(headId, key), 429, 'answer_wait.limit_exceeded')

  await app.post(`/notifications/${other}/answer`, { action_id: 'pw_ack' }, second.token)
  const receipts = (await Promise.all(held)).map(({ body }) => body)
  const acknowledged = { status: 'acknowledged', acknowledged_by: second.userId }
  expect(receipts).toMatchObject(
    [entry, other, headId].flatMap((id) => Array(LIMITS.wait.maxOpen).fill({ ...acknowledged, notification_id: id })),
  )
  // The slots are free again.
  expect((await wait(entry, first.token)).status).toBe(200)
})

test('404 at once for an admin who waits as the organization and is removed', async () => {
  const { path, owner, admin } = await createOrganization(app)
  const headId = (await app.post(`${path}/notifications`, ALERT, owner.token)).body.id
  const { answer } = await hold(headId, admin.token, path)
  await app.del(`${path}/members/${admin.userId}`, owner.token)
  expectProblem(await answer, 404, 'org.not_found')
})

// Shares on several nodes: what one node has answered holds for requests and pushes of the others. On SQLite the one node
// takes both parts.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { untilLockWaits } from '../../support/database/lock-waits.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'

const ROUNDS = 10

let services: PushServices
let one: TestApp
let other: TestApp
beforeAll(async () => {
  services = await startPushServices()
  one = await services.startNode()
  other = isPostgres() ? await services.startNode({}, one.database) : one
})
afterAll(async () => {
  await services.close()
  // The first node owns the database, so it stops last.
  if (other !== one) await other.stop()
  await one.stop()
})

let owner: TestUser
let editor: TestUser
let phone: ActivityPhone
beforeEach(async () => {
  owner = await one.addUser()
  editor = await one.addUser()
  phone = await addActivityPhone(services, { app: one, user: editor })
  await one.patch('/activities/build?upsert=true', { state: 'ongoing' }, owner.token)
})

// Returns the id of the share. The activity is started on the phone.
async function join(): Promise<string> {
  const { code } = (await one.post('/activities/build/share', { role: 'editor' }, owner.token)).body
  const { status, body } = await one.post('/shares/join', { code }, editor.token)
  expect(status).toBe(201)
  await runAllJobs()
  return body.id
}

// The phone has an update token, too.
async function joinAndShow(): Promise<string> {
  const shareId = await join()
  await phone.show('build')
  await runAllJobs()
  return shareId
}

const change = (node: TestApp, user: TestUser, state: string) =>
  node.patch('/activities/build', { content: { state } }, user.token)

async function revoke(node: TestApp, shareId: string): Promise<void> {
  expect((await node.del(`/shares/${shareId}`, owner.token)).status).toBe(204)
}

async function runAllJobs(): Promise<void> {
  while ((await one.runDueJobs()) + (await other.runDueJobs()) > 0);
}

const events = () => phone.pushes().map(({ aps }) => aps.event)

describe('after the answer of one node', () => {
  test('404 a revoked editor cannot change the activity on another node', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const shareId = await join()
      expect((await change(other, editor, `before ${round}`)).status).toBe(200)
      await revoke(one, shareId)
      expectProblem(await change(other, editor, `after ${round}`), 404, 'activity.not_found')
      expect((await other.get('/activities/build', owner.token)).body.content.state).toBe(`before ${round}`)
    }
  })

  test('403 a lowered role holds on another node, and so does a raised one', async () => {
    const shareId = await join()
    const setRole = (role: string) => one.patch(`/shares/${shareId}`, { role }, owner.token)
    for (let round = 0; round < ROUNDS; round++) {
      expect((await setRole('viewer')).status).toBe(200)
      expectProblem(await change(other, editor, 'as viewer'), 403, 'activity.viewer_forbidden')
      expect((await setRole('editor')).status).toBe(200)
      expect((await change(other, editor, `as editor ${round}`)).status).toBe(200)
    }
  })

  test('a revoked recipient gets no push that waits on another node, only the end', async () => {
    const shareId = await joinAndShow()
    await change(other, owner, 'waits')
    await revoke(one, shareId)
    await runAllJobs()
    expect(events()).toEqual(['start', 'end'])
    await change(other, owner, 'later')
    await runAllJobs()
    expect(events()).toEqual(['start', 'end'])
  })

  test('a revoked recipient gets no push that another node tries again, only the end', async () => {
    const shareId = await join()
    const updateToken = await phone.show('build')
    services.apns.script(updateToken, { status: 429, reason: 'TooManyRequests', retryAfter: '2' })
    await change(other, owner, 'refused')
    await other.runDueJobs()
    await revoke(one, shareId)
    one.advanceSeconds(2)
    await runAllJobs()
    expect(events()).toEqual(['start', 'end'])
  })
})

// A push that was handed to the provider before may arrive after the end: the phone ignores it by its timestamp.
test('a phone that is pushed to by one node while another revokes the share ends with the end', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const shareId = await joinAndShow()
    await change(other, owner, `round ${round}`)
    await Promise.all([other.runDueJobs(), revoke(one, shareId)])
    await runAllJobs()
    const newest = phone.pushes().sort((a, b) => b.aps.timestamp - a.aps.timestamp)[0]
    expect(newest?.aps.event).toBe('end')
    const before = phone.pushes().length
    await change(other, owner, `after ${round}`)
    await runAllJobs()
    expect(phone.pushes()).toHaveLength(before)
  }
})

// Only on PostgreSQL can a request wait for another.
test.runIf(isPostgres())('a phone that registers its token while the share ends gets the end', async () => {
  const shareId = await join()
  const { db } = other.app.ctx
  const requests = await one.app.ctx.db.transact(async (tx) => {
    await tx.lock(sql`select id from activities where user_id = ${owner.userId}`)
    const revoking = revoke(one, shareId)
    await untilLockWaits(db, 1)
    const registering = phone.show('build')
    await untilLockWaits(db, 2)
    return [revoking, registering]
  })
  await Promise.all(requests)
  await runAllJobs()
  expect(events()).toEqual(['start', 'end'])
})

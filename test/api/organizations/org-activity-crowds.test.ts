// Activities of an organization with many members: they are told and pushed to in steps, and what they lose is taken from
// them in steps. Concurrent changes of a target end with the last one on every device.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { UserId } from '../../../src/domain/caller.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { type ActivityPhone, addActivityPhone } from '../../support/devices/activity-phone.ts'
import { usePushApp } from '../../support/fakes/push-services.ts'
import {
  bodyOf,
  createShowingOrganization,
  type ShowingOrganization,
  showing,
  startActivity,
} from '../../support/organizations/showing-organization.ts'

const app = usePushApp()
const CROWD = LIMITS.organization.membersPerStep + 20
let org: ShowingOrganization
let crowd: UserId[]
let one: ActivityPhone
let third: ActivityPhone
beforeEach(async () => {
  org = await createShowingOrganization(app)
  crowd = await addCrowd()
  one = await addActivityPhone(app, { app, user: org.m1 })
  third = await addActivityPhone(app, { app, user: org.m3 })
})

// Rows of their own: joining by code takes seconds for so many.
async function addCrowd(): Promise<UserId[]> {
  const ids = Array.from({ length: CROWD }, () => randomUUID() as UserId)
  await app.app.ctx.db.transact(async (tx) => {
    for (const id of ids) {
      tx.queue(sql`insert into users (id, name, plan, created_at) values (${id}, ${id}, 'free', 0)`)
      tx.queue(sql`insert into memberships (org_id, user_id, role, joined_at) values (${org.id}, ${id}, 'member', 0)`)
    }
  })
  return ids
}

async function runAllJobs(): Promise<void> {
  while ((await app.runDueJobs()) > 0);
}

async function change(body: object): Promise<void> {
  bodyOf(await app.patch('/activities/deploy', body, org.key), 200)
  await runAllJobs()
}

async function start(target?: object): Promise<void> {
  await startActivity(app, org.key, 'deploy', target)
  await runAllJobs()
  await one.show('deploy')
}

// How many of the crowd have how many events of each type.
async function newsOfCrowd(): Promise<Record<string, number>> {
  const rows = await app.app.ctx.db.read.all<{ user_id: UserId; type: string }>(
    sql`select user_id, type from events where type like 'activity.%'`,
  )
  const counts: Record<string, number> = {}
  for (const { type } of rows.filter(({ user_id }) => crowd.includes(user_id))) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

test('everyone is told of every change once and pushed to; changes made before a step coalesce', async () => {
  await start()
  expect(await newsOfCrowd()).toEqual({ 'activity.created': CROWD, 'activity.started': CROWD })
  for (const state of ['2', '3', '4']) bodyOf(await app.patch('/activities/deploy', showing(state), org.key), 200)
  await runAllJobs()
  expect((await newsOfCrowd())['activity.updated']).toBe(CROWD)
  await change({ state: 'ended', content: { state: 'Done' } })
  expect((await newsOfCrowd())['activity.ended']).toBe(CROWD)
  expect(one.words()).toEqual(['start 1', 'update 4', 'end Done'])
})

test('a narrower target takes it from the others, and a wider one gives it back', async () => {
  await start()
  await third.show('deploy')
  await change({ target: { groups: ['ops'] } })
  expect(third.words()).toEqual(['start 1', 'end 1'])
  expect(one.words().at(-1)).toBe('update 1')
  expect((await newsOfCrowd())['activity.deleted']).toBe(CROWD)
  await change({ target: null })
  expect(third.words().at(-1)).toBe('start 1')
  expect((await newsOfCrowd())['activity.updated']).toBe(CROWD)
})

test('deleting it ends it everywhere', async () => {
  await start()
  await third.show('deploy')
  bodyOf(await app.del('/activities/deploy', org.key), 204)
  await runAllJobs()
  expect([one.words().at(-1), third.words().at(-1)]).toEqual(['end 1', 'end 1'])
  expect((await newsOfCrowd())['activity.deleted']).toBe(CROWD)
})

test('a group whose members all change at once', async () => {
  const all = `${org.path}/groups/${org.ops}/members`
  bodyOf(await app.put(all, { user_ids: [...crowd, org.m1.userId] }, org.owner.token), 200)
  await start({ groups: ['ops'] })
  bodyOf(await app.put(all, { user_ids: [org.m3.userId] }, org.owner.token), 200)
  await runAllJobs()
  expect([one.words(), third.words()]).toEqual([['start 1', 'end 1'], ['start 1']])
})

test('deleting the organization ends it everywhere', async () => {
  await start()
  bodyOf(await app.del(org.path, org.owner.token), 204)
  await runAllJobs()
  expect(one.words()).toEqual(['start 1', 'end 1'])
  const left = await app.app.ctx.db.read.all(sql`select 1 from users where id = ${org.id}`)
  expect(left).toEqual([])
})

// An update that was under way when the activity ended changes nothing on the phone.
const isShowing = (phone: ActivityPhone) => phone.words().findLast((word) => !word.startsWith('update')) === 'start 1'

test('concurrent changes of the target: the last one stored decides what every device shows', async () => {
  const phones = [one, third]
  // As the app does, a phone registers a token for what was started there. A push that meets a start under way waits a second.
  const settle = async () => {
    await runAllJobs()
    app.advanceSeconds(2)
    await runAllJobs()
    for (const phone of phones) if (phone.words().at(-1) === 'start 1') await phone.show('deploy')
    await runAllJobs()
  }
  await start({ groups: ['ops', 'sre'] })
  await settle()
  for (let round = 0; round < 3; round++) {
    const targets = ['ops', 'sre', 'ops', 'sre'].map((name) => ({ target: { groups: [name] } }))
    const changes = targets.map((body) => app.patch('/activities/deploy', body, org.key))
    await Promise.all([...changes, app.runDueJobs()])
    await settle()
    const { groups } = (await app.get('/activities/deploy', org.key)).body.target
    expect(phones.map(isShowing)).toEqual([groups[0] === 'ops', groups[0] === 'sre'])
    await change({ target: { groups: ['ops', 'sre'] } })
    await settle()
  }
})

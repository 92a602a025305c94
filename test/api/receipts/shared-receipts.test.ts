// More alerts than may be open at a time: those of heartbeats with one policy share a receipt, and the others say that they
// have none.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createMemoryLog } from '../../support/fakes/memory-log.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { heartbeatsOf, type PingedHeartbeat } from '../../support/on-call/heartbeats.ts'
import { createOrganization } from '../../support/organizations/organization.ts'

const CAP = { HELIOGRAPH_PLANS: '{"paid": {"open_alerts": 2}}' }
const STEPS = [{ after_seconds: 300, level: 'critical' }]

const nodes = useTestNodes(CAP)
let app: TestApp
let user: TestUser
beforeEach(async () => {
  app = nodes.first
  user = await app.addUser()
  await app.post('/escalations', { slug: 'night', name: 'Night', steps: STEPS }, user.token)
})

const addJobs = (slugs: string[], acknowledge: object = { escalation: 'night' }): Promise<PingedHeartbeat[]> =>
  Promise.all(slugs.map((slug) => heartbeatsOf(app).add(user, { slug, name: slug, acknowledge })))

// Fails them one after the other; returns the ids of their alerts.
async function fail(jobs: PingedHeartbeat[]): Promise<number[]> {
  for (const job of jobs) await app.get(`${job.path}/fail`)
  const told = await heartbeatsOf(app).told(user)
  return jobs.map(({ slug }) => told.findLast(({ title }) => title === `${slug} is down`)?.id ?? 0)
}

const receiptOf = async (id: number | undefined) => (await app.get(`/notifications/receipts/${id}`, user.token)).body
const receiptsOf = (ids: number[]) => Promise.all(ids.map(receiptOf))
const statuses = async (ids: number[]) => (await receiptsOf(ids)).map(({ status }) => status)
const eventsOf = async (id: number | undefined): Promise<string[]> => {
  const { items } = (await app.get(`/notifications/${id}/timeline`, user.token)).body
  return items.map(({ event, detail }: { event: string; detail?: string }) => `${event} ${detail ?? ''}`.trim())
}
const press = (id: number | undefined, node = app, device: object = {}) =>
  node.post(`/notifications/${id}/answer`, { action_id: 'pw_ack', ...device }, user.token)
const pass = async (seconds: number) => {
  app.advanceSeconds(seconds)
  await app.runDueJobs()
}

test('the plan has the number of alerts that may be open: 409 beyond it', async () => {
  const send = () => app.post('/notifications', { title: 'T', body: 'B', acknowledge: {} }, user.token)
  expect([(await send()).status, (await send()).status]).toEqual([201, 201])
  expectProblem(await send(), 409, 'notification_receipt.limit_exceeded')
})

describe('beyond the cap, alerts of heartbeats with the same policy share a receipt', () => {
  test('one of them repeats and takes the steps, and acknowledging any acknowledges all', async () => {
    const alerts = await fail(await addJobs(['a', 'b', 'c', 'd']))
    const [a, b, c, d] = alerts
    expect((await receiptsOf(alerts)).map(({ shared_with }) => shared_with)).toEqual([undefined, undefined, a, a])
    expect(await eventsOf(c)).toContain(`receipt_shared ${a}`)
    await pass(60)
    await pass(240)
    expect(await receiptsOf(alerts)).toMatchObject([
      { escalated_steps: 1 },
      { escalated_steps: 1 },
      { escalated_steps: 0, repeats_sent: 0 },
      { escalated_steps: 0, repeats_sent: 0 },
    ])
    expect((await receiptOf(d)).next_escalation_at).toBeUndefined()
    await app.put('/devices/phone', { name: 'Ada’s phone', platform: 'web' }, user.token)
    expect((await press(d, app, { device_id: 'phone' })).status).toBe(200)
    await app.runDueJobs()
    expect(await statuses(alerts)).toEqual(['acknowledged', 'active', 'acknowledged', 'acknowledged'])
    const acknowledged = { acknowledged_by: user.userId, acknowledged_by_device: 'Ada’s phone', action_id: 'pw_ack' }
    expect(await receiptOf(a)).toMatchObject(acknowledged)
    expect(await statuses([b ?? 0])).toEqual(['active'])
  })

  test('when the one that repeats is up again, the next one repeats and takes the steps that are due', async () => {
    const jobs = await addJobs(['a', 'b', 'c', 'd'])
    const alerts = await fail(jobs)
    const [, , c] = alerts
    await pass(299)
    await app.get(jobs[0]?.path ?? '')
    await app.runDueJobs()
    expect(await statuses(alerts)).toEqual(['canceled', 'active', 'active', 'active'])
    expect((await receiptsOf(alerts)).map(({ shared_with }) => shared_with).slice(2)).toEqual([undefined, c])
    await pass(1)
    expect(await receiptOf(c)).toMatchObject({ escalated_steps: 1, repeats_sent: 1 })
    await press(c)
    await app.runDueJobs()
    expect(await statuses(alerts)).toEqual(['canceled', 'active', 'acknowledged', 'acknowledged'])
  })

  test('one that is up again leaves the others as they are', async () => {
    const jobs = await addJobs(['a', 'b', 'c', 'd'])
    const alerts = await fail(jobs)
    await app.get(jobs[2]?.path ?? '')
    await app.runDueJobs()
    expect(await statuses(alerts)).toEqual(['active', 'active', 'canceled', 'active'])
    expect((await receiptOf(alerts[3])).shared_with).toBe(alerts[0])
  })

  test('at the same moment, on all nodes: no alert is left that nobody repeats', async () => {
    for (let round = 0; round < 5; round++) {
      const slugs = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}${round}`)
      const jobs = await addJobs(slugs)
      const before = await fail(jobs.slice(0, 4))
      // The first is up again, the third is acknowledged, and two more go down.
      const calls = [
        (node: TestApp) => node.get(jobs[0]?.path ?? ''),
        (node: TestApp) => press(before[2], node),
        (node: TestApp) => node.get(`${jobs[4]?.path}/fail`),
        (node: TestApp) => node.get(`${jobs[5]?.path}/fail`),
      ]
      const answers = await nodes.atOnce(calls.length, (node, index) => calls[index]?.(node) ?? Promise.reject())
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      while ((await nodes.atOnce(nodes.all.length, (node) => node.runDueJobs())).some((count) => count > 0));
      const { items } = (await app.get('/notifications/receipts?status=active&limit=100', user.token)).body
      const open = new Set(items.map(({ notification_id }: { notification_id: number }) => notification_id))
      for (const { shared_with } of items) if (shared_with !== undefined) expect(open).toContain(shared_with)
      for (const id of open) await press(id as number)
      await app.runDueJobs()
    }
  })
})

test('alerts of an organization share a receipt only if they reach the same people', async () => {
  const org = await createOrganization(app, 2)
  const [ada, ben] = org.members as [TestUser, TestUser]
  const alertOf = async (slug: string, member: TestUser) => {
    const input = { slug, name: slug, every_seconds: 3600, acknowledge: {}, target: { members: [member.userId] } }
    const { body } = await app.post(`${org.path}/heartbeats`, input, org.owner.token)
    await app.get(`${new URL(body.ping_url).pathname}/fail`)
    return (await app.get(`${org.path}/notifications?limit=1`, org.owner.token)).body.items[0].id as number
  }
  const receiptIn = (id: number) => app.get(`${org.path}/notifications/receipts/${id}`, org.owner.token)
  const first = await alertOf('a', ada)
  await alertOf('b', ada)
  expect((await receiptIn(await alertOf('c', ada))).body).toMatchObject({ status: 'active', shared_with: first })
  expectProblem(await receiptIn(await alertOf('d', ben)), 404, 'notification_receipt.not_found')
})

test('an alert that fits no open one is sent without a receipt: the timeline and the log say so', async () => {
  const { log, lines } = createMemoryLog()
  app = await startTestApp(CAP, undefined, { log })
  onTestFinished(() => app.stop())
  user = await app.addUser()
  await app.post('/escalations', { slug: 'night', name: 'Night', steps: STEPS }, user.token)
  const others = await addJobs(['a', 'b'])
  await fail(others)
  const [alert] = await fail(await addJobs(['c'], {}))
  expect((await app.get(`/notifications/receipts/${alert}`, user.token)).status).toBe(404)
  expect(await eventsOf(alert)).toContain('no_receipt the account has 2 open alerts')
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('without a receipt'))
  expect(warnings).toMatchObject([{ account: user.userId, problem: 'notification_receipt.limit_exceeded' }])
})

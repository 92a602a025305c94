// Plans as the operator sets them: lifted and lowered quotas, raised caps, further plans, and plans that are no longer set.
import { describe, expect, test } from 'vitest'
import { QUOTAS } from '../../../src/contract/limits.ts'
import { databaseChecks } from '../../../src/operations/doctor/database.ts'
import { setOrganizationPlan } from '../../../src/operations/organizations/operate.ts'
import { updatePlan } from '../../../src/store/accounts/accounts.ts'
import type { TestUser } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { addActivity, addCode, join, share } from '../../support/shares.ts'
import { setUsed } from '../../support/usage.ts'

const PLANS = {
  paid: { notifications: 'unlimited', devices: 12 },
  family: { notifications: '3/month', emails: '0/month', devices: 1, widgets: 2 },
  'free-guest': { devices: 'unlimited' },
}
const nodes = useTestNodes({ HELIOGRAPH_PLANS: JSON.stringify(PLANS) })

const me = async ({ token }: TestUser, node = nodes.first) => (await node.get('/auth/me', token)).body
const send = ({ token }: TestUser, node = nodes.first) => node.post('/notifications', { title: 'T', body: 'B' }, token)
const addWidget = ({ token }: TestUser, slug: string, node = nodes.first) =>
  node.post('/widgets', { slug, name: slug, content: { template: 'value', value: 1 } }, token)
const addDevice = ({ token }: TestUser, id: string) =>
  nodes.first.put(`/devices/${id}`, { name: id, platform: 'web' }, token)

describe('HELIOGRAPH_PLANS', () => {
  test('a lifted quota is counted and refuses nothing; /auth/me has no limit', async () => {
    const user = await nodes.first.addUser('paid')
    await setUsed(nodes.first, user, 'notifications', QUOTAS.paid.notifications?.limit ?? 0)
    expect((await send(user)).status).toBe(201)
    const account = await me(user)
    expect(account).toMatchObject({ subscribed: true, plan: 'paid', notifications_used: 5001 })
    expect(account).not.toHaveProperty('notifications_limit')
    expect(account).not.toHaveProperty('quota_resets_day_at')
  })

  test('a raised cap holds exactly, and /auth/me shows it', async () => {
    const user = await nodes.first.addUser('paid')
    for (let count = 1; count <= 12; count++) expect((await addDevice(user, `d${count}`)).status).toBe(201)
    const refused = await addDevice(user, 'd13')
    expectProblem(refused, 409, 'device.limit_exceeded')
    expect(refused.body.detail).toContain('on the paid plan has at most 12 devices')
    expect((await me(user)).caps).toMatchObject({ devices: 12, widgets: 50 })
  })

  test('a further plan has its own quota and caps', async () => {
    const user = await nodes.first.addUser('family')
    for (let count = 1; count <= 3; count++) expect((await send(user)).status).toBe(201)
    const refused = await send(user)
    expectProblem(refused, 429, 'quota.exceeded')
    expect(refused.body).toMatchObject({ kind: 'notifications', used: 3, limit: 3 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await me(user)).toMatchObject({ plan: 'family', subscribed: true, notifications_limit: 3, emails_limit: 0 })
  })

  test('a plan whose name begins with free- may not create organizations', async () => {
    const [guest, family] = [await nodes.first.addUser('free-guest'), await nodes.first.addUser('family')]
    const found = ({ token }: TestUser) => nodes.first.post('/orgs', { name: 'Club' }, token)
    expectProblem(await found(guest), 403, 'subscription.required')
    expect((await found(family)).status).toBe(201)
    expect(await me(guest)).toMatchObject({ subscribed: false, notifications_limit: 500, caps: { devices: 100 } })
  })

  test('accounts on such a plan are among the five recipients on a free plan that an owner has', async () => {
    const app = nodes.first
    const owner = await app.addUser()
    await addActivity(app, owner, 'build')
    for (const plan of ['free', 'free-guest', 'free-guest', 'free-guest', 'free-guest']) {
      await share(app, { owner, recipient: await app.addUser(plan), what: 'build' })
    }
    const refused = await join(app, await app.addUser('free-guest'), await addCode(app, owner, 'build'))
    expectProblem(refused, 403, 'permission.free_recipient_limit_exceeded')
    await share(app, { owner, recipient: await app.addUser('family'), what: 'build' })
  })

  test('a changed plan holds with the next request on another node', async () => {
    const other = nodes.all.at(-1)
    const user = await nodes.first.addUser('family')
    for (const slug of ['a', 'b']) await addWidget(user, slug, other)
    expectProblem(await addWidget(user, 'c', other), 429, 'widget.limit_exceeded')
    await nodes.first.setPlan(user, 'paid')
    expect((await addWidget(user, 'c', other)).status).toBe(201)
    await nodes.first.setPlan(user, 'family')
    expectProblem(await addWidget(user, 'd', other), 429, 'widget.limit_exceeded')
    expect((await nodes.first.get('/widgets', user.token)).body.items).toHaveLength(3)
  })

  test('an account on a plan that is no longer set has the numbers of paid', async () => {
    const user = await nodes.first.addUser('family')
    const { db } = nodes.first.app.ctx
    await db.transact((tx) => updatePlan(tx, user.userId, 'gold'))
    for (let count = 1; count <= 4; count++) expect((await send(user)).status).toBe(201)
    expect(await me(user)).toMatchObject({ plan: 'gold', subscribed: true, caps: { devices: 12 } })
    const { config, clock } = nodes.first.app.ctx
    const check = databaseChecks(db.read, clock, config.plans).find(({ name }) => name === 'plans')
    expect(await check?.look()).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('gold (1 of them, with the numbers of paid)'),
    })
  })

  test('a plan that the settings do not name is given to nobody', async () => {
    const refusal = /must be one of free, paid, family, free-guest/
    await expect(nodes.first.addUser('gold')).rejects.toThrow(refusal)
    const user = await nodes.first.addUser('family')
    await expect(nodes.first.setPlan(user, 'gold')).rejects.toThrow(refusal)
    const { id } = (await nodes.first.post('/orgs', { name: 'Club' }, user.token)).body
    await expect(setOrganizationPlan(nodes.first.app.ctx, { id }, 'gold')).rejects.toThrow(refusal)
    expect([(await me(user)).plan, (await nodes.first.get(`/orgs/${id}`, user.token)).body.plan]).toEqual([
      'family',
      'paid',
    ])
  })

  test('the served description of the API has the plans of this server', async () => {
    const { info } = (await nodes.first.get('/openapi.json')).body
    expect(info.description).toContain('| Member | Meaning | free | paid | family | free-guest |')
    expect(info.description).toContain('| 500 a month | unlimited | 3 a month | 500 a month |')
  })
})

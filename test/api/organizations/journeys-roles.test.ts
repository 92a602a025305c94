// Owners, the last of them, and what a stranger learns; caps and waits that are the organization's; and its end.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { addGroup, createOrganization, invite } from '../../support/organizations/organization.ts'
import {
  addMembers,
  addOrgKey,
  addTag,
  countEntries,
  entryOf,
  inboxOf,
  type OrgKey,
} from '../../support/organizations/sends.ts'

const app = useTestApp()

const MESSAGE = { title: 'Water', body: 'in the cellar' }
const QUESTION = { ...MESSAGE, actions: [{ id: 'yes', title: 'Yes' }] }
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()

describe('roles and the last owner', () => {
  test('an admin invites no admin, the last owner stays, and ownership is handed on', async () => {
    const { path, owner, admin } = await createOrganization(app, 0)
    const refused = await app.post(`${path}/invitations`, { role: 'admin' }, admin.token)
    expectProblem(refused, 403, 'org.role_denied')
    expect(refused.body.required_role).toBe('owner')
    expectProblem(await app.del(`${path}/members/me`, owner.token), 409, 'org.last_owner')
    const lower = ({ token }: TestUser, { userId }: TestUser) =>
      app.patch(`${path}/members/${userId}`, { role: 'member' }, token)
    expectProblem(await lower(owner, owner), 409, 'org.last_owner')
    expect((await app.patch(`${path}/members/${admin.userId}`, { role: 'owner' }, owner.token)).status).toBe(200)

    const answers = await Promise.all([lower(owner, admin), lower(admin, owner)])
    const lost = answers.filter(({ status }) => status !== 200)
    expect(lost).toHaveLength(1)
    expect(['409 org.last_owner', '403 org.role_denied']).toContain(`${lost[0]?.status} ${lost[0]?.body.code}`)
    const { items } = (await app.get(`${path}/members`, owner.token)).body
    expect(items.map(({ role }: { role: string }) => role).sort()).toEqual(['member', 'owner'])
  })

  test('two people with a one-use code at once: one joins', async () => {
    const org = await createOrganization(app, 0)
    const code = await invite(app, org)
    const people = [await app.addUser(), await app.addUser()]
    const answers = await Promise.all(people.map(({ token }) => app.post('/orgs/join', { code }, token)))
    expect(statuses(answers)).toEqual([201, 410])
    expectProblem(answers.find(({ status }) => status === 410) as Answer, 410, 'org.code_invalid')
  })

  test('a stranger gets the same answer for ids of the organization and for ids that were never given out', async () => {
    const org = await createOrganization(app)
    const { key } = await addOrgKey(app, org)
    const group = await addGroup(app, org, 'ops', org.members)
    await addTag(app, org, 'wall')
    const stranger = await app.addUser()
    const sent = (await app.post('/notifications', { ...QUESTION, acknowledge: {} }, key)).body.id
    const entry = await entryOf(app, org.members[0] as TestUser, sent)
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const probe = async (paths: [string, string][]) => {
      for (const [real, invented] of paths) {
        const [one, two] = [await app.get(real, stranger.token), await app.get(invented, stranger.token)]
        expect(one.status).toBe(404)
        expect(withoutIds(one)).toEqual(withoutIds(two))
      }
    }
    const under = (rest: string): [string, string] => [org.path + rest, `/orgs/${nowhere}${rest}`]
    await probe([
      under(''),
      under('/members'),
      under(`/members/${org.owner.userId}`),
      under(`/groups/${group}`),
      under('/tags'),
      under('/keys'),
      under(`/notifications/${sent}`),
      [`/notifications/${sent}`, '/notifications/999999999'],
      [`/notifications/${entry}`, '/notifications/999999999'],
      [`/notifications/receipts/${entry}`, '/notifications/receipts/999999999'],
      [`/notifications/answers/${sent}`, '/notifications/answers/999999999'],
    ])
    expect(JSON.stringify((await app.get('/auth/me', stranger.token)).body)).not.toContain(org.id)
  })
})

describe('a large organization', () => {
  const send = async ({ key }: OrgKey, members: object = {}) =>
    (await app.post('/notifications', { ...MESSAGE, ...members }, key)).body
  const headOf = async ({ key }: OrgKey, id: number) => (await app.get(`/notifications/${id}`, key)).body

  test('everyone of 120 has exactly one entry; recalled, nobody has', async () => {
    const org = await createOrganization(app, 0)
    await addMembers(app.app.ctx.db, org.id, 118, app.clock.now())
    const key = await addOrgKey(app, org)
    const sent = await send(key, { acknowledge: {} })
    expect(sent.recipients.members).toBe(120)
    expect(sent.recipients.stored).toBeGreaterThanOrEqual(100)
    await eventually(async () => {
      await app.runDueJobs()
      expect((await headOf(key, sent.id)).recipients).toMatchObject({ stored: 120, done: true })
    })
    const counts = await countEntries(app.app.ctx.db, sent.id)
    expect([counts.size, ...new Set(counts.values())]).toEqual([120, 1])

    expect((await app.del(`${org.path}/notifications/${sent.id}`, org.owner.token)).status).toBe(204)
    await eventually(async () => {
      await app.runDueJobs()
      expect((await countEntries(app.app.ctx.db, sent.id)).size).toBe(0)
    })
    const receipt = (await app.get(`/notifications/receipts/${sent.id}`, key.key)).body
    expect(receipt).toMatchObject({ status: 'canceled', cancel_reason: 'deleted' })
  })
})

describe('deleting the organization', () => {
  test('keys and open waits end with 401, codes with 410, members keep their entries', async () => {
    const org = await createOrganization(app)
    const member = org.members[0] as TestUser
    const { key } = await addOrgKey(app, org)
    const code = await invite(app, org, { max_uses: 5 })
    await app.post('/activities', { slug: 'deploy', name: 'Deploy' }, key)
    const { id } = (await app.post('/notifications', { ...QUESTION, acknowledge: {} }, key)).body
    const entry = await entryOf(app, member, id)
    const waiting = app.get(`/notifications/answers/${id}?wait=25`, key)
    await eventually(async () => expect(await openWaits()).toBe(1))
    expect((await app.del(org.path, org.owner.token)).status).toBe(204)

    expectProblem(await app.get('/auth/me', key), 401, 'token.invalid')
    expectProblem(await waiting, 401, 'token.invalid')
    expectProblem(await app.post('/orgs/join', { code }, (await app.addUser()).token), 410, 'org.code_invalid')
    for (const { token } of [org.owner, org.admin, member]) {
      expect((await app.get('/orgs', token)).body.items).toEqual([])
      expectProblem(await app.get(org.path, token), 404, 'org.not_found')
      expect((await app.get('/activities', token)).body.items).toEqual([])
    }
    while ((await app.runDueJobs()) > 0);
    expect(await inboxOf(app, member)).toMatchObject([{ id: entry, org_id: org.id, org_name: 'Example' }])
    const answer = await app.post(`/notifications/${entry}/answer`, { action_id: 'yes' }, member.token)
    expectProblem(answer, 404, 'notification_answer.not_found')
    const receipt = await app.get(`/notifications/receipts/${entry}`, member.token)
    expectProblem(receipt, 404, 'notification_receipt.not_found')
    expect((await app.del(`/notifications/${entry}`, member.token)).status).toBe(204)
  })

  test('during a fan-out: no entry is written after it', async () => {
    const org = await createOrganization(app)
    await addMembers(app.app.ctx.db, org.id, 250, app.clock.now())
    const { key } = await addOrgKey(app, org)
    const { id } = (await app.post('/notifications', MESSAGE, key)).body
    expect((await app.del(org.path, org.owner.token)).status).toBe(204)
    const atDeletion = (await countEntries(app.app.ctx.db, id)).size
    while ((await app.runDueJobs()) > 0);
    expect((await countEntries(app.app.ctx.db, id)).size).toBe(atDeletion)
    expect(atDeletion).toBeGreaterThanOrEqual(100)
  })
})

const withoutIds = ({ status, body: { code, detail } }: Answer) => [
  status,
  code,
  detail.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\b\d+\b/g, 'ID'),
]

async function openWaits(): Promise<number> {
  const row = await app.app.ctx.db.read.first<{ count: number }>(sql`select count(*) as count from open_waits`)
  return Number(row?.count)
}

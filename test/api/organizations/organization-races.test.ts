// Concurrent joins, removals and changes of roles, on as many nodes as the database allows.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { createOrganization, invite, type TestOrganization } from '../../support/organizations/organization.ts'

const nodes = useTestNodes()

function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const outcome = body?.code && status >= 400 ? `${status} ${body.code}` : String(status)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

const addPeople = (count: number): Promise<TestUser[]> =>
  Promise.all(Array.from({ length: count }, () => nodes.first.addUser()))
const joinAtOnce = (code: string, people: TestUser[]) =>
  nodes.atOnce(people.length, (node, index) => node.post('/orgs/join', { code }, people[index]!.token))
const memberCount = async ({ path, owner }: TestOrganization) =>
  (await nodes.first.get(path, owner.token)).body.member_count

describe('joining', () => {
  test('of ten people at once exactly as many join as the invitation has uses', async () => {
    const org = await createOrganization(nodes.first)
    const code = await invite(nodes.first, org, { max_uses: 3 })
    expect(tally(await joinAtOnce(code, await addPeople(10)))).toEqual({ 201: 3, '410 org.code_invalid': 7 })
    expect(await memberCount(org)).toBe(6)
  })

  test('the same person several times at once: one 201, the others 200, one use', async () => {
    const org = await createOrganization(nodes.first)
    const code = await invite(nodes.first, org, { max_uses: 5 })
    const person = await nodes.first.addUser()
    expect(tally(await joinAtOnce(code, Array(5).fill(person)))).toEqual({ 201: 1, 200: 4 })
    const { items } = (await nodes.first.get(`${org.path}/invitations`, org.owner.token)).body
    expect(items).toMatchObject([{ use_count: 1 }])
  })

  test('the cap of members holds, and refused joins use nothing up', async () => {
    const org = await createOrganization(nodes.first)
    await nodes.first.app.ctx.db.transact((tx) => tx.execute(sql`update users set plan = 'free' where id = ${org.id}`))
    const code = await invite(nodes.first, org, { max_uses: 100 })
    const room = LIMITS.organization.maxMembers.free - 3
    const answers = await joinAtOnce(code, await addPeople(12))
    expect(tally(answers)).toEqual({ 201: room, '409 org.limit_exceeded': 12 - room })
    const { items } = (await nodes.first.get(`${org.path}/invitations`, org.owner.token)).body
    expect(items).toMatchObject([{ use_count: room }])
  })

  test('the cap of organizations of a person holds over joining and creating', async () => {
    const person = await nodes.first.addUser()
    for (let made = 0; made < LIMITS.organization.maxPerPerson - 1; made++) {
      await nodes.first.post('/orgs', { name: `Org ${made}` }, person.token)
    }
    const codes = await Promise.all(
      Array.from({ length: 3 }, async () => invite(nodes.first, await createOrganization(nodes.first, 0))),
    )
    const answers = await nodes.atOnce(6, (node, index) =>
      index < 3
        ? node.post('/orgs/join', { code: codes[index] }, person.token)
        : node.post('/orgs', { name: 'One more' }, person.token),
    )
    expect(tally(answers)).toEqual({ 201: 1, '409 org.limit_exceeded': 5 })
  })

  test('against the deletion of the organization: joined and then removed, or 410', async () => {
    for (let round = 0; round < 3; round++) {
      const org = await createOrganization(nodes.first)
      const code = await invite(nodes.first, org, { max_uses: 10 })
      const people = await addPeople(4)
      const [deleted, ...joined] = await nodes.atOnce(5, (node, index) =>
        index === 0 ? node.del(org.path, org.owner.token) : node.post('/orgs/join', { code }, people[index - 1]!.token),
      )
      expect(deleted?.status).toBe(204)
      for (const { status } of joined) expect([201, 410]).toContain(status)
      for (const { token } of people) expect((await nodes.first.get('/orgs', token)).body.items).toEqual([])
    }
  })
})

describe('the last owner', () => {
  async function createOwners(): Promise<TestOrganization & { other: TestUser }> {
    const org = await createOrganization(nodes.first)
    await nodes.first.patch(`${org.path}/members/${org.admin.userId}`, { role: 'owner' }, org.owner.token)
    return { ...org, other: org.admin }
  }

  test('two owners who leave at once: one goes, the other stays', async () => {
    for (let round = 0; round < 3; round++) {
      const { path, owner, other } = await createOwners()
      const answers = await nodes.atOnce(2, (node, index) =>
        node.del(`${path}/members/me`, [owner, other][index]!.token),
      )
      expect(tally(answers)).toEqual({ 204: 1, '409 org.last_owner': 1 })
    }
  })

  test('two owners who lower each other at once: exactly one succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      const { path, owner, other } = await createOwners()
      const answers = await nodes.atOnce(2, (node, index) => {
        const [by, whom] = index === 0 ? [owner, other] : [other, owner]
        return node.patch(`${path}/members/${whom.userId}`, { role: 'member' }, by.token)
      })
      const refused = answers.filter(({ status }) => status !== 200)
      expect(refused).toHaveLength(1)
      expect(['org.last_owner', 'org.role_denied']).toContain(refused[0]?.body.code)
    }
  })
})

describe('groups', () => {
  test('of 12 concurrent groups of the same name exactly one is made', async () => {
    const { path, owner } = await createOrganization(nodes.first)
    const answers = await nodes.atOnce(12, (node) => node.post(`${path}/groups`, { name: 'ops' }, owner.token))
    expect(tally(answers)).toEqual({ 201: 1, '409 org.name_taken': 11 })
  })

  test('concurrent replacements of the members leave one of the sets, and a removed member in none', async () => {
    const { path, owner, members } = await createOrganization(nodes.first, 4)
    const { id } = (await nodes.first.post(`${path}/groups`, { name: 'ops' }, owner.token)).body
    const [a, b, c, d] = members.map(({ userId }) => userId)
    const sets = [
      [a, b],
      [c, d],
    ]
    const answers = await nodes.atOnce(8, (node, index) =>
      node.put(`${path}/groups/${id}/members`, { user_ids: sets[index % 2] }, owner.token),
    )
    expect(tally(answers)).toEqual({ 200: 8 })
    const { items } = (await nodes.first.get(`${path}/members?group_id=${id}`, owner.token)).body
    const left = items.map((member: { user_id: string }) => member.user_id)
    expect(sets).toContainEqual(left)
    await nodes.atOnce(2, (node, index) =>
      index === 0
        ? node.del(`${path}/members/${left[0]}`, owner.token)
        : node.put(`${path}/groups/${id}/members/${left[0]}`, undefined, owner.token),
    )
    const after = (await nodes.first.get(`${path}/members?group_id=${id}`, owner.token)).body.items
    expect(after.map((member: { user_id: string }) => member.user_id)).toEqual(left.slice(1))
  })
})

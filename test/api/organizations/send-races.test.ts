// Sends of an organization against everything that changes it at the same time, on as many nodes as the database allows.
import { describe, expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/caller.ts'
import type { OrgId } from '../../../src/domain/ids.ts'
import { createToken } from '../../../src/operations/accounts/accounts.ts'
import { lockUser } from '../../../src/store/accounts/accounts.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestUser } from '../../support/app.ts'
import type { Answer } from '../../support/client.ts'
import { isPostgres } from '../../support/database/database.ts'
import { untilLockWaits } from '../../support/database/lock-waits.ts'
import { eventually } from '../../support/eventually.ts'
import { useTestNodes } from '../../support/nodes.ts'
import {
  addGroup,
  createOrganization,
  invite,
  type TestOrganization,
} from '../../support/organizations/organization.ts'
import {
  addMembers,
  addOrgKey,
  countEntries,
  entryOf,
  inboxOf,
  type OrgKey,
  reached,
} from '../../support/organizations/sends.ts'

const nodes = useTestNodes()

const MESSAGE = { title: 'Water', body: 'in the cellar' }
const ALERT = { ...MESSAGE, acknowledge: { repeat_seconds: 30, expire_seconds: 600 } }
const nodeAt = (index: number) => nodes.all[index % nodes.all.length] as (typeof nodes.all)[0]
const database = () => nodes.first.app.ctx.db
const send = ({ key }: OrgKey, members: object = {}, node = nodes.first) =>
  node.post('/notifications', { ...MESSAGE, ...members }, key)
const headOf = async ({ key }: OrgKey, id: number) => (await nodes.first.get(`/notifications/${id}`, key)).body
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()

async function settle() {
  let ran = 0
  do {
    ran = 0
    for (const node of nodes.all) ran += await node.runDueJobs()
  } while (ran > 0)
}

const spread = (key: OrgKey, id: number) =>
  eventually(async () => {
    await settle()
    expect((await headOf(key, id)).recipients.done).toBe(true)
  })

async function createLarge(count = 250) {
  const org = await createOrganization(nodes.first, 1)
  const ids = await addMembers(database(), org.id, count, nodes.first.clock.now())
  return { org, ids, key: await addOrgKey(nodes.first, org) }
}

describe('a removal', () => {
  test('during a fan-out: nothing is written for that person after its 204, everyone else has one entry', async () => {
    const { org, ids, key } = await createLarge()
    const { body } = await send(key)
    const leaving = ids.slice(-20)
    const removals = await nodes.atOnce(leaving.length, (node, index) =>
      node.del(`${org.path}/members/${leaving[index]}`, org.owner.token),
    )
    expect(new Set(statuses(removals))).toEqual(new Set([204]))
    const afterRemoval = await countEntries(database(), body.id)
    await spread(key, body.id)
    const counts = await countEntries(database(), body.id)
    for (const id of leaving) expect(counts.get(id)).toBe(afterRemoval.get(id))
    for (const id of ids.slice(0, -20)) expect(counts.get(id)).toBe(1)
  })

  test('against an answer: the answer wins or is 404 and acknowledges nothing', async () => {
    for (let round = 0; round < 6; round++) {
      const org = await createOrganization(nodes.first, 1)
      const member = org.members[0] as TestUser
      const key = await addOrgKey(nodes.first, org)
      const { id } = (await send(key, ALERT)).body
      const entry = await entryOf(nodes.first, member, id)
      const [answer, removal] = await Promise.all([
        nodeAt(round).post(`/notifications/${entry}/answer`, { action_id: 'pw_ack' }, member.token),
        nodeAt(round + 1).del(`${org.path}/members/${member.userId}`, org.owner.token),
      ])
      expect(removal.status).toBe(204)
      const receipt = (await nodes.first.get(`/notifications/receipts/${id}`, key.key)).body
      expect([answer.status, receipt.status, receipt.acknowledged_by]).toEqual(
        answer.status === 200 ? [200, 'acknowledged', member.userId] : [404, 'active', undefined],
      )
    }
  })

  test.runIf(isPostgres())('before an answer that waits for it: the answer is 404', async () => {
    const org = await createOrganization(nodes.first, 1)
    const member = org.members[0] as TestUser
    const key = await addOrgKey(nodes.first, org)
    const { body } = await send(key, { actions: [{ id: 'yes', title: 'Yes' }] })
    const entry = await entryOf(nodes.first, member, body.id)
    const requests = await database().transact(async (tx) => {
      await lockUser(tx, org.id as OrgId)
      const removing = nodes.first.del(`${org.path}/members/${member.userId}`, org.owner.token)
      await untilLockWaits(database(), 1)
      const answering = nodes.first.post(`/notifications/${entry}/answer`, { action_id: 'yes' }, member.token)
      await Promise.race([untilLockWaits(database(), 2), answering])
      return [removing, answering]
    })
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([204, 404])
  })
})

describe('acknowledging at once', () => {
  test('one of ten wins; the others get 409 with the winner, and no repeat is counted after', async () => {
    const org = await createOrganization(nodes.first, 10)
    const key = await addOrgKey(nodes.first, org)
    const { id } = (await send(key, ALERT)).body
    const entries = await Promise.all(org.members.map((member) => entryOf(nodes.first, member, id)))
    const answers = await nodes.atOnce(10, (node, index) =>
      node.post(
        `/notifications/${entries[index]}/answer`,
        { action_id: 'pw_ack' },
        (org.members[index] as TestUser).token,
      ),
    )
    expect(statuses(answers)).toEqual([200, ...Array(9).fill(409)])
    const winner = org.members[answers.findIndex(({ status }) => status === 200)]?.userId
    const named = answers.map(({ status, body }) => (status === 200 ? body : body.answer).answered_by)
    expect(new Set(named)).toEqual(new Set([winner]))
    const receipt = (await nodes.first.get(`/notifications/receipts/${id}`, key.key)).body
    expect(receipt).toMatchObject({ status: 'acknowledged', acknowledged_by: winner })
    nodes.first.advanceSeconds(60)
    await settle()
    const later = (await nodes.first.get(`/notifications/receipts/${id}`, key.key)).body
    expect(later.repeats_sent).toBe(receipt.repeats_sent)
  })

  test('before the fan-out is complete: those who get it later learn that it was acknowledged', async () => {
    const { first: node } = nodes
    const org = await createOrganization(node, 1)
    const [early] = await addMembers(database(), org.id, 150, node.clock.now(), 'first')
    const key = await addOrgKey(node, org)
    const { id } = (await send(key, ALERT)).body
    // The next step of the fan-out is late.
    const late = node.clock.now() + 5000
    await database().transact((tx) =>
      tx.execute(sql`update jobs set run_at = ${late} where kind = 'spread-notification'`),
    )
    const user = { token: await createToken(node.app.ctx, early as UserId, 'hla') }
    const entry = await entryOf(node, user, id)
    const answer = await node.post(`/notifications/${entry}/answer`, { action_id: 'pw_ack' }, user.token)
    expect(answer.status).toBe(200)
    await settle()
    node.advanceSeconds(5)
    await spread(key, id)
    await settle()
    expect((await countEntries(database(), id)).size).toBe(153)
    const told = await database().read.all<{ user_id: string }>(
      sql`select distinct user_id from events where type = 'receipt.acknowledged' and user_id in
        (select user_id from notifications where org_notification_id = ${id})`,
    )
    expect(told).toHaveLength(153)
  })
})

describe('who is reached is decided once', () => {
  test('joining against sends: a member has each notification that was sent after the join', async () => {
    const org = await createOrganization(nodes.first, 0)
    const key = await addOrgKey(nodes.first, org)
    const people = await Promise.all(Array.from({ length: 6 }, () => nodes.first.addUser()))
    const code = await invite(nodes.first, org, { max_uses: 6 })
    const joins = people.map(({ token }, index) => nodeAt(index).post('/orgs/join', { code }, token))
    const sends = Array.from({ length: 6 }, (_, index) => send(key, {}, nodeAt(index + 1)))
    expect(new Set(statuses(await Promise.all(joins)))).toEqual(new Set([201]))
    const heads = (await Promise.all(sends)).map(({ body }) => body.id as number)
    for (const id of heads) {
      const everyone = [org.owner, org.admin, ...people]
      const whom = await reached(nodes.first, everyone, id)
      expect((await headOf(key, id)).recipients).toMatchObject({
        members: whom.filter(Boolean).length,
        stored: whom.filter(Boolean).length,
        done: true,
      })
    }
    for (const person of people) {
      const entries = await inboxOf(nodes.first, person)
      expect(new Set(entries.map(({ org_notification_id }) => org_notification_id)).size).toBe(entries.length)
    }
  })

  test('replacing the members of a group: a send sees the set before or after, however many steps it takes', async () => {
    const { org, ids, key } = await createLarge(400)
    const [before, after] = [ids.slice(0, 200), ids.slice(200)]
    const group = await addGroup(nodes.first, org, 'ops')
    const path = `${org.path}/groups/${group}/members`
    await nodes.first.put(path, { user_ids: before }, org.owner.token)
    const [replaced, ...sent] = await Promise.all([
      nodeAt(0).put(path, { user_ids: after }, org.owner.token),
      send(key, { target: { groups: ['ops'] } }, nodeAt(1)),
      send(key, { target: { groups: ['ops'] } }, nodeAt(0)),
    ])
    expect(replaced.status).toBe(200)
    for (const { body } of sent) {
      await spread(key, body.id)
      const whom = [...(await countEntries(database(), body.id)).keys()].sort()
      expect([before, after]).toContainEqual(whom)
    }
  })

  test('deleting the group: 201 to all its members, or 422 org.target_unknown', async () => {
    for (let round = 0; round < 6; round++) {
      const org = await createOrganization(nodes.first, 3)
      const key = await addOrgKey(nodes.first, org)
      const group = await addGroup(nodes.first, org, 'ops', org.members)
      const [sent, deleted] = await Promise.all([
        send(key, { target: { groups: ['ops'] } }, nodeAt(round)),
        nodeAt(round + 1).del(`${org.path}/groups/${group}?force=true`, org.owner.token),
      ])
      expect(deleted.status).toBe(204)
      if (sent.status === 201) expect(sent.body.recipients.members).toBe(3)
      else expect([sent.status, sent.body.code]).toEqual([422, 'org.target_unknown'])
      const inboxes = await Promise.all(org.members.map((member) => inboxOf(nodes.first, member)))
      expect(inboxes.map((entries) => entries.length)).toEqual(Array(3).fill(sent.status === 201 ? 1 : 0))
    }
  })
})

describe('the key', () => {
  const change = (how: 'revoke' | 'narrow', { path, owner }: TestOrganization, { id }: OrgKey, group: string) =>
    how === 'revoke'
      ? nodeAt(1).del(`${path}/keys/${id}`, owner.token)
      : nodeAt(1).patch(`${path}/keys/${id}`, { target: { group_ids: [group] } }, owner.token)

  test.each([
    ['revoke', 'key_revoked'],
    ['narrow', undefined],
  ] as const)(
    '%s during a fan-out: what was accepted goes out whole, and repeats follow a revocation only',
    async (how, reason) => {
      const { org, key } = await createLarge()
      const group = await addGroup(nodes.first, org, 'ops')
      const { id } = (await send(key, ALERT)).body
      expect((await change(how, org, key, group)).status).toBeLessThan(300)
      await eventually(async () => {
        await settle()
        expect((await countEntries(database(), id)).size).toBe(253)
      })
      nodes.first.advanceSeconds(30)
      await settle()
      const receipt = (await nodes.first.get(`${org.path}/notifications/receipts/${id}`, org.owner.token)).body
      expect(receipt).toMatchObject(
        reason ? { status: 'canceled', cancel_reason: reason, repeats_sent: 0 } : { status: 'active', repeats_sent: 1 },
      )
    },
  )

  test('sends that race with its revocation are whole or 401', async () => {
    const org = await createOrganization(nodes.first, 3)
    const key = await addOrgKey(nodes.first, org)
    const sends = Array.from({ length: 6 }, (_, index) => send(key, {}, nodeAt(index)))
    const revoked = await nodeAt(1).del(`${org.path}/keys/${key.id}`, org.owner.token)
    expect(revoked.status).toBe(204)
    const answers = await Promise.all(sends)
    const accepted = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
    for (const { status } of answers) expect([201, 401]).toContain(status)
    for (const member of org.members) {
      const heads = (await inboxOf(nodes.first, member)).map(({ org_notification_id }) => org_notification_id)
      expect(heads.sort()).toEqual(accepted.sort())
    }
  })
})

describe('a recall', () => {
  test('at any time of a fan-out leaves no entry behind', async () => {
    for (const concurrent of [true, false]) {
      const { org, key } = await createLarge()
      const { id } = (await send(key)).body
      const working = concurrent ? settle() : Promise.resolve()
      const recall = await nodeAt(1).del(`${org.path}/notifications/${id}`, org.owner.token)
      expect(recall.status).toBe(204)
      await working
      await eventually(async () => {
        await settle()
        expect((await countEntries(database(), id)).size).toBe(0)
      })
      const open = await database().read.all(sql`select user_id from org_recipients where head_id = ${id}`)
      expect(open).toEqual([])
    }
  })

  test('against answers: an answer is recorded or refused, as its sender reads it afterwards', async () => {
    for (let round = 0; round < 6; round++) {
      const org = await createOrganization(nodes.first, 1)
      const member = org.members[0] as TestUser
      const key = await addOrgKey(nodes.first, org)
      const { id } = (await send(key, ALERT)).body
      const entry = await entryOf(nodes.first, member, id)
      const [answer, recall] = await Promise.all([
        nodeAt(round).post(`/notifications/${entry}/answer`, { action_id: 'pw_ack' }, member.token),
        nodeAt(round + 1).del(`${org.path}/notifications/${id}`, org.owner.token),
      ])
      expect(recall.status).toBe(204)
      const { status } = (await nodes.first.get(`/notifications/answers/${id}`, key.key)).body
      expect([answer.status, status]).toEqual(answer.status === 200 ? [200, 'answered'] : [404, 'pending'])
    }
  })
})

// Two organizations with the same members, who use their inboxes meanwhile: every request is answered, and every count is
// right at the end.
import { expect, test } from 'vitest'
import type { TestUser } from '../../support/app.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { createOrganization, join, type TestOrganization } from '../../support/organizations/organization.ts'
import { addOrgKey, entryOf, inboxOf, type OrgKey } from '../../support/organizations/sends.ts'

const nodes = useTestNodes()

const ALERT = { title: 'Fire', body: 'in the server room', acknowledge: {} }
const SENDS = 6

async function settle() {
  let ran = 0
  do {
    ran = 0
    for (const node of nodes.all) ran += await node.runDueJobs()
  } while (ran > 0)
}

const unreadOf = async ({ token }: TestUser) => (await nodes.first.get('/notifications/unread-count', token)).body.count

async function createSharers(): Promise<{ members: TestUser[]; keys: OrgKey[] }> {
  const first = await createOrganization(nodes.first, 8)
  const second: TestOrganization = await createOrganization(nodes.first, 0)
  await join(nodes.first, second, first.members.toReversed())
  return { members: first.members, keys: [await addOrgKey(nodes.first, first), await addOrgKey(nodes.first, second)] }
}

test('two organizations send to the same members, who read, answer and delete meanwhile', async () => {
  const { members, keys } = await createSharers()
  const earlier = await Promise.all(keys.map(({ key }) => nodes.first.post('/notifications', ALERT, key)))
  const use = async (member: TestUser, index: number) => {
    const node = nodes.all[index % nodes.all.length] as (typeof nodes.all)[0]
    const entry = await entryOf(node, member, earlier[index % 2]?.body.id)
    return [
      await node.post(`/notifications/${entry}/answer`, { action_id: 'pw_ack' }, member.token),
      await node.post('/notifications/read', { ids: [entry] }, member.token),
      await node.del(`/notifications/${entry}`, member.token),
    ]
  }
  const [sent, used] = await Promise.all([
    nodes.atOnce(SENDS * 2, (node, index) => node.post('/notifications', ALERT, keys[index % 2]?.key)),
    Promise.all(members.map(use)),
  ])
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]))
  expect(used.flat().filter(({ status }) => status >= 500)).toEqual([])
  for (const half of [0, 1]) {
    const answers = used.filter((_, index) => index % 2 === half).map(([answer]) => answer?.status)
    expect(answers.sort()).toEqual([200, 409, 409, 409])
  }
  await settle()
  for (const member of members) {
    const heads = (await inboxOf(nodes.first, member)).map(({ org_notification_id }) => org_notification_id)
    expect(new Set(heads).size).toBe(SENDS * 2 + 1)
    expect(heads).toHaveLength(SENDS * 2 + 1)
    expect(await unreadOf(member)).toBe(SENDS * 2 + 1)
  }
})

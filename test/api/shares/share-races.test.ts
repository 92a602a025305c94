// Concurrent sharing on as many nodes as the database allows: exactly the right number succeeds, and nothing deadlocks.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS, QUOTAS } from '../../../src/contract/limits.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { addActivity, addCode, codesOf, createCode, join, share, sharesOf } from '../../support/shares.ts'
import { tally } from '../../support/tally.ts'
import { setUsed } from '../../support/usage.ts'

const nodes = useTestNodes()
let owner: TestUser
beforeEach(async () => {
  // Refused codes are counted by the minute.
  nodes.first.advanceSeconds(60)
  owner = await nodes.first.addUser()
  await addActivity(nodes.first, owner, 'build')
})

const addUsers = (count: number, plan?: 'free' | 'paid') =>
  Promise.all(Array.from({ length: count }, () => nodes.first.addUser(plan)))
const shareCount = async () => (await nodes.first.get('/activities/build', owner.token)).body.share_count
const useCount = async (id: string) => (await codesOf(nodes.first, owner)).find((code) => code.id === id)?.use_count

describe('joins at a limit', () => {
  test.each([1, 3])('of 12 joins by a code with one of %i uses left one succeeds', async (max_uses) => {
    const code = await addCode(nodes.first, owner, 'build', { max_uses })
    for (const user of await addUsers(max_uses - 1)) await join(nodes.first, user, code)
    const users = await addUsers(12)
    const answers = await nodes.atOnce(12, (node, index) => join(node, users[index]!, code))
    expect(tally(answers)).toEqual({ 201: 1, '410 share.code_invalid': 11 })
    expect(await shareCount()).toBe(max_uses)
    expect(await codesOf(nodes.first, owner)).toEqual([])
  })

  test.each(['build', 'b*'])(
    'one account that joins 10 times at once joins %s once and takes one use',
    async (what) => {
      const code = await addCode(nodes.first, owner, what, { max_uses: 2 })
      const user = await nodes.first.addUser()
      const answers = await nodes.atOnce(10, (node) => join(node, user, code))
      expect(tally(answers)).toEqual({ 200: 9, 201: 1 })
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(await useCount(code.id)).toBe(1)
      expect(await sharesOf(nodes.first, user)).toHaveLength(1)
    },
  )

  test('one account that joins by two codes at once has one share, in the higher role', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await nodes.first.addUser()
      const codes = [
        await addCode(nodes.first, owner, 'build'),
        await addCode(nodes.first, owner, 'build', { role: 'editor' }),
      ]
      const answers = await nodes.atOnce(2, (node, index) => join(node, user, codes[index]!))
      expect(tally(answers)).toEqual({ 200: 1, 201: 1 })
      expect((await sharesOf(nodes.first, user)).map(({ role }) => role)).toEqual(['editor'])
    }
  })

  test('of 12 free accounts, over several activities of an owner, exactly five join', async () => {
    await addActivity(nodes.first, owner, 'second')
    const codes = [
      await addCode(nodes.first, owner, 'build', { max_uses: 100 }),
      await addCode(nodes.first, owner, 'second', { max_uses: 100 }),
    ]
    const users = await addUsers(12, 'free')
    const answers = await nodes.atOnce(12, (node, index) => join(node, users[index]!, codes[index % 2]!))
    expect(tally(answers)).toEqual({
      201: LIMITS.share.maxFreeRecipients,
      '403 permission.free_recipient_limit_exceeded': 12 - LIMITS.share.maxFreeRecipients,
    })
    expect(await sharesOf(nodes.first, owner)).toHaveLength(LIMITS.share.maxFreeRecipients)
  })

  test('of 10 accounts exactly the missing two become the 99th and 100th recipient', async () => {
    const code = await addCode(nodes.first, owner, 'build', { max_uses: 1000 })
    for (const user of await addUsers(LIMITS.share.maxRecipients - 2)) await join(nodes.first, user, code)
    const users = await addUsers(10)
    const answers = await nodes.atOnce(10, (node, index) => join(node, users[index]!, code))
    expect(tally(answers)).toEqual({ 201: 2, '409 share.limit_exceeded': 8 })
    expect(await shareCount()).toBe(LIMITS.share.maxRecipients)
    expect(await useCount(code.id)).toBe(LIMITS.share.maxRecipients)
  })

  test('a free account with 19 received shares gets one of six, from six owners', async () => {
    const recipient = await nodes.first.addUser('free')
    for (let index = 1; index < LIMITS.share.maxReceived.free; index++) {
      await addActivity(nodes.first, owner, `a${index}`)
      await share(nodes.first, { owner, recipient, what: `a${index}` })
    }
    const owners = await addUsers(6)
    for (const user of owners) await addActivity(nodes.first, user, 'build')
    const codes = await Promise.all(owners.map((user) => addCode(nodes.first, user, 'build')))
    const answers = await nodes.atOnce(6, (node, index) => join(node, recipient, codes[index]!))
    expect(tally(answers)).toEqual({ 201: 1, '403 permission.free_share_limit_exceeded': 5 })
    expect(await sharesOf(nodes.first, recipient)).toHaveLength(LIMITS.share.maxReceived.free)
  })

  test('of 10 codes made at once exactly the missing two are created', async () => {
    for (let count = 2; count < LIMITS.share.maxOpenCodes; count++) await addCode(nodes.first, owner, 'build')
    const answers = await nodes.atOnce(10, (node, index) => createCode(node, owner, index % 2 ? 'build' : 'b*'))
    expect(tally(answers)).toEqual({ 201: 2, '409 share.limit_exceeded': 8 })
  })
})

describe('joins and deletions', () => {
  test('of the code: the share is whole, or the code is invalid', async () => {
    for (let round = 0; round < 8; round++) {
      const code = await addCode(nodes.first, owner, 'build', { max_uses: 5 })
      const users = await addUsers(2)
      const [first, deleted, second] = await nodes.atOnce(3, (node, index) =>
        index === 1 ? node.del(`/shares/codes/${code.id}`, owner.token) : join(node, users[index / 2]!, code),
      )
      expect(deleted!.status).toBe(204)
      for (const [index, { status }] of [first!, second!].entries()) {
        expect([201, 410]).toContain(status)
        expect(await sharesOf(nodes.first, users[index]!)).toHaveLength(status === 201 ? 1 : 0)
      }
    }
  })

  test('of the activity: nothing is left of it', async () => {
    for (let round = 0; round < 8; round++) {
      const slug = `round-${round}`
      await addActivity(nodes.first, owner, slug)
      const code = await addCode(nodes.first, owner, slug, { max_uses: 5 })
      const users = await addUsers(3)
      const answers = await nodes.atOnce(4, (node, index) =>
        index === 3 ? node.del(`/activities/${slug}`, owner.token) : join(node, users[index]!, code),
      )
      const counts = tally(answers)
      expect(counts['204']).toBe(1)
      expect((counts['201'] ?? 0) + (counts['410 share.code_invalid'] ?? 0)).toBe(3)
      for (const user of users) {
        expect(await sharesOf(nodes.first, user)).toEqual([])
        expect((await nodes.first.get(`/activities/${slug}`, user.token)).status).toBe(404)
      }
      nodes.first.advanceSeconds(60)
    }
    expect(await sharesOf(nodes.first, owner)).toEqual([])
  })

  test('the owner revokes while the recipient leaves: one of them ends the share', async () => {
    for (let round = 0; round < 5; round++) {
      const recipient = await nodes.first.addUser()
      const { id } = await share(nodes.first, { owner, recipient, what: 'build' })
      const answers = await nodes.atOnce(2, (node, index) =>
        node.del(`/shares/${id}`, [owner, recipient][index]!.token),
      )
      expect(tally(answers)).toEqual({ 204: 1, '404 share.not_found': 1 })
    }
  })
})

describe('changes of a share', () => {
  const patchAll = (count: number, { token }: TestUser) =>
    nodes.atOnce(count, (node, index) => node.patch('/activities/build', { priority: index % 10 }, token))

  test('a request that starts after the answer sees it, on all nodes', async () => {
    const recipient = await nodes.first.addUser()
    const { id } = await share(nodes.first, { owner, recipient, what: 'build' })
    const setRole = (role: string) => nodes.first.patch(`/shares/${id}`, { role }, owner.token)
    for (let round = 0; round < 3; round++) {
      await setRole('editor')
      expect(tally(await patchAll(10, recipient))).toEqual({ 200: 10 })
      await setRole('viewer')
      expect(tally(await patchAll(10, recipient))).toEqual({ '403 activity.viewer_forbidden': 10 })
    }
    await nodes.first.del(`/shares/${id}`, owner.token)
    expect(tally(await patchAll(10, recipient))).toEqual({ '404 activity.not_found': 10 })
    const reads = await nodes.atOnce(10, (node) => node.get('/activities/build', recipient.token))
    expect(tally(reads)).toEqual({ '404 activity.not_found': 10 })
  })

  test('a change of plan of the owner or of an editor is seen at once too, on all nodes', async () => {
    const recipient = await nodes.first.addUser()
    await share(nodes.first, { owner, recipient, what: 'build', role: 'editor' })
    for (const plan of ['free', 'paid'] as const) {
      for (const user of [owner, recipient]) await nodes.first.setPlan(user, plan)
      const patched = await patchAll(4, recipient)
      expect(tally(patched)).toEqual(plan === 'free' ? { '403 activity.viewer_forbidden': 4 } : { 200: 4 })
      const created = await nodes.atOnce(4, (node) => createCode(node, owner, 'build'))
      expect(tally(created)).toEqual(plan === 'free' ? { '403 subscription.required': 4 } : { 201: 4 })
    }
  })

  test('patches during a revocation are before it or refused', async () => {
    for (let round = 0; round < 5; round++) {
      const recipient = await nodes.first.addUser()
      const { id } = await share(nodes.first, { owner, recipient, what: 'build', role: 'editor' })
      const answers = await nodes.atOnce(12, (node, index) =>
        index === 5
          ? node.del(`/shares/${id}`, owner.token)
          : node.patch('/activities/build', { priority: index % 10 }, recipient.token),
      )
      const counts = tally(answers)
      expect(counts['204']).toBe(1)
      expect((counts['200'] ?? 0) + (counts['404 activity.not_found'] ?? 0)).toBe(11)
    }
  })

  test('the owner and its editors patch at once: no change is lost', async () => {
    const editors = await addUsers(3)
    for (const recipient of editors) await share(nodes.first, { owner, recipient, what: 'build', role: 'editor' })
    const tokens = [owner, ...editors].map(({ token }) => token)
    const answers = await nodes.atOnce(40, (node, index) =>
      node.patch('/activities/build', { content: { [`m${index}`]: index } }, tokens[index % 4]!),
    )
    expect(tally(answers)).toEqual({ 200: 40 })
    const { content } = (await nodes.first.get('/activities/build', owner.token)).body
    expect(content).toMatchObject(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, index])))
  })

  test('the owner and an editor with one unit of quota left: exactly one update succeeds', async () => {
    const recipient = await nodes.first.addUser()
    await share(nodes.first, { owner, recipient, what: 'build', role: 'editor' })
    await nodes.first.setPlan(owner, 'free')
    await setUsed(nodes.first, owner, 'live_activity_updates', QUOTAS.free.live_activity_updates!.limit - 1)
    const answers = await nodes.atOnce(12, (node, index) =>
      node.patch(
        '/activities/build',
        { state: 'ongoing', content: { state: `${index}` } },
        [owner, recipient][index % 2]!.token,
      ),
    )
    expect(tally(answers)).toEqual({ 200: 1, '429 quota.exceeded': 11 })
  })
})

describe('accounts that share with each other', () => {
  let pair: [TestUser, TestUser]
  beforeEach(async () => {
    pair = [owner, await nodes.first.addUser()]
    await addActivity(nodes.first, pair[1], 'build')
  })
  const other = (index: number) => pair[(index + 1) % 2]!

  test('join each other’s codes at once', async () => {
    for (let round = 0; round < 10; round++) {
      const codes = [
        await addCode(nodes.first, pair[0], `r${round}-*`),
        await addCode(nodes.first, pair[1], `r${round}-*`),
      ]
      const answers = await nodes.atOnce(2, (node, index) => join(node, other(index), codes[index]!))
      expect(tally(answers)).toEqual({ 201: 2 })
    }
  })

  test('change, share, join, lower and leave at once: every request is answered as if alone', async () => {
    const shares = await Promise.all(
      pair.map((user, index) =>
        share(nodes.first, { owner: user, recipient: other(index), what: 'build', role: 'editor' }),
      ),
    )
    const act = (node: TestApp, index: number) => {
      const [side, step] = [index % 2, Math.floor(index / 2) % 4]
      const { token } = pair[side]!
      if (step === 0)
        return node.patch('/activities/build', { state: 'ongoing', content: { state: `${index}` } }, token)
      if (step === 1)
        return node.patch(`/activities/${shares[(side + 1) % 2]!.activity_id}`, { state: 'ongoing' }, token)
      if (step === 2) return node.patch(`/shares/${shares[side]!.id}`, { role: 'editor' }, token)
      return node.post('/shares/patterns', { slug_pattern: 'x*' }, token)
    }
    expect(tally(await nodes.atOnce(80, act))).toEqual({ 200: 60, 201: 20 })
  })
})

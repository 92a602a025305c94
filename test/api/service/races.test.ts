// Concurrent requests on as many nodes as the database allows: exactly the right number succeeds.
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { createSignInCode } from '../../../src/operations/accounts/accounts.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { tally } from '../../support/tally.ts'

const nodes = useTestNodes()
const content = { template: 'value', value: 1 }

describe('R20: limits', () => {
  test('of 100 concurrent new widgets exactly 50 are created', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(100, (node, index) =>
      node.post('/widgets', { slug: `w${index}`, name: 'W', content }, token),
    )
    expect(tally(answers)).toEqual({ 201: LIMITS.widget.maxPerAccount, '429 widget.limit_exceeded': 50 })
    expect((await nodes.first.get('/widgets', token)).body.items).toHaveLength(LIMITS.widget.maxPerAccount)
  })

  test('of 75 concurrent new keys exactly 24 are created, next to the default key', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(75, (node) => node.post('/integrations/keys', { name: 'K' }, token))
    expect(tally(answers)).toEqual({ 201: 24, '409 integration_key.limit_exceeded': 51 })
    expect((await nodes.first.get('/integrations/keys', token)).body).toHaveLength(LIMITS.key.maxPerAccount)
  })

  test('of 20 concurrent patches with one unit of quota left exactly one succeeds', async () => {
    const { token } = await nodes.first.addUser('free')
    await nodes.first.post('/widgets', { slug: 'w', name: 'W', content }, token)
    let value = 1
    const patch = (node: (typeof nodes)['first']) => node.patch('/widgets/w', { content: { value: ++value } }, token)
    expect(tally(await nodes.atOnce(49, patch))).toEqual({ 200: 49 })
    expect(tally(await nodes.atOnce(20, patch))).toEqual({ 200: 1, '429 quota.exceeded': 19 })
    expect((await nodes.first.get('/auth/me', token)).body.widget_updates_used).toBe(50)
  })

  test('of 60 concurrent patches of different widgets with 50 units left exactly 50 succeed', async () => {
    const { token } = await nodes.first.addUser('free')
    const slugs = Array.from({ length: 10 }, (_, index) => `w${index}`)
    for (const slug of slugs) await nodes.first.post('/widgets', { slug, name: 'W', content }, token)
    const answers = await nodes.atOnce(60, (node, index) =>
      node.patch(`/widgets/w${index % 10}`, { content: { value: 100 + index } }, token),
    )
    expect(tally(answers)).toEqual({ 200: 50, '429 quota.exceeded': 10 })
  })
})

describe('quiet hours', () => {
  test('nodes that run the jobs at the same time send one digest for all that was held', async () => {
    const { token } = await nodes.first.addUser()
    const until = new Date(nodes.first.clock.now() + 60_000).toISOString()
    await nodes.first.post('/auth/me/quiet-hours/now', { until }, token)
    const held = await nodes.atOnce(20, (node) => node.post('/notifications', { title: 'T', body: 'B' }, token))
    expect(held.map(({ body }) => body.reason)).toEqual(Array(20).fill('quiet_hours'))
    nodes.first.advanceSeconds(60)
    await Promise.all(nodes.all.map((node) => node.runDueJobs()))
    const { items } = (await nodes.first.get('/notifications?source=quiet-hours', token)).body
    expect(items).toMatchObject([{ title: '20 messages during quiet hours' }])
  })
})

describe('storm shields', () => {
  test('of 40 concurrent sends with a shield of 10 exactly 10 are pushed, however many nodes count', async () => {
    const { token } = await nodes.first.addUser()
    const storm = { pushes_per_minute: 10 }
    const input = { name: 'K', permissions: { notifications: 'send' }, storm }
    const { key } = (await nodes.first.post('/integrations/keys', input, token)).body
    const answers = await nodes.atOnce(40, (node) => node.post('/notifications', { title: 'T', body: 'B' }, key))
    expect(tally(answers)).toEqual({ 201: 40 })
    expect(answers.filter(({ body }) => body.reason === 'storm')).toHaveLength(30)
    expect((await nodes.first.get('/auth/me', token)).body.notifications_used).toBe(10)
  })
})

describe('R21: concurrent patches', () => {
  test('on separate members of one widget: none is lost, and each has its own updated_at', async () => {
    const { token } = await nodes.first.addUser()
    const action = { url: 'https://example.org', headers: {} }
    await nodes.first.post('/widgets', { slug: 'w', name: 'W', content: { ...content, tap_action: action } }, token)
    const answers = await nodes.atOnce(60, (node, index) =>
      node.patch('/widgets/w', { content: { tap_action: { headers: { [`h${index}`]: String(index) } } } }, token),
    )
    expect(tally(answers)).toEqual({ 200: 60 })
    const stored = (await nodes.first.get('/widgets/w', token)).body
    const expected = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`h${index}`, String(index)]))
    expect(stored.content.tap_action.headers).toEqual(expected)
    expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(60)
    expect(stored.updated_at).toBe(
      answers
        .map(({ body }) => body.updated_at)
        .sort()
        .at(-1),
    )
  })

  test('and a delete: every patch is either before it or 404', async () => {
    const { token } = await nodes.first.addUser()
    await nodes.first.post('/widgets', { slug: 'w', name: 'W', content }, token)
    const answers = await nodes.atOnce(20, (node, index) =>
      index === 10 ? node.del('/widgets/w', token) : node.patch('/widgets/w', { content: { value: index } }, token),
    )
    const counts = tally(answers)
    expect(counts['204']).toBe(1)
    expect((counts['200'] ?? 0) + (counts['404 widget.not_found'] ?? 0)).toBe(19)
    expect((await nodes.first.get('/widgets/w', token)).status).toBe(404)
  })
})

describe('one winner', () => {
  test('of 20 concurrent posts of one new slug one creates it, the others update it', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(20, (node, index) =>
      node.post('/widgets', { slug: 'w', name: `W${index}`, content }, token),
    )
    expect(tally(answers)).toEqual({ 201: 20 })
    const actions = answers.map(({ headers }) => headers.get('x-resource-action'))
    expect(actions.filter((action) => action === 'created')).toHaveLength(1)
    expect(actions.filter((action) => action === 'updated')).toHaveLength(19)
    expect((await nodes.first.get('/widgets', token)).body.items).toHaveLength(1)
  })

  test('10 concurrent requests for the default key create it once', async () => {
    const { token } = await nodes.first.addUser()
    const { id } = (await nodes.first.post('/integrations/default-key', undefined, token)).body
    await nodes.first.del(`/integrations/keys/${id}`, token)
    const answers = await nodes.atOnce(10, (node) => node.post('/integrations/default-key', undefined, token))
    expect(tally(answers)).toEqual({ 200: 9, 201: 1 })
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test('after 10 concurrent rolls of a key exactly one of the secrets works, on all nodes', async () => {
    const user = await nodes.first.addUser()
    const old = (await nodes.first.post('/integrations/keys', { name: 'K' }, user.token)).body
    const rolls = await nodes.atOnce(10, (node) =>
      node.post(`/integrations/keys/${old.id}/roll`, undefined, user.token),
    )
    expect(tally(rolls)).toEqual({ 200: 10 })
    for (const node of nodes.all) {
      const secrets = [old.key, ...rolls.map(({ body }) => body.key)]
      const uses = await Promise.all(secrets.map((secret) => node.get('/auth/me', secret)))
      expect(tally(uses)).toEqual({ 200: 1, '401 token.invalid': 10 })
    }
  })

  test('a sign-in code used 10 times concurrently signs in once', async () => {
    const { userId } = await nodes.first.addUser()
    const code = await createSignInCode(nodes.first.app.ctx, userId)
    const answers = await nodes.atOnce(10, (node) => node.post('/auth/link', { code }))
    expect(tally(answers)).toEqual({ 200: 1, '401 token.invalid': 9 })
  })

  test('a token rotated 10 times concurrently yields one new token, which is the only valid one', async () => {
    const { token } = await nodes.first.addUser()
    const answers = await nodes.atOnce(10, (node) => node.post('/auth/token/rotate', undefined, token))
    expect(tally(answers)).toEqual({ 200: 1, '401 token.invalid': 9 })
    const fresh = answers.find(({ status }) => status === 200)?.body.token
    for (const node of nodes.all) {
      expect((await node.get('/auth/me', fresh)).status).toBe(200)
      expect((await node.get('/auth/me', token)).status).toBe(401)
    }
  })
})

describe('R46: immediate revocation on all nodes', () => {
  test('once a roll or a delete is answered, no request with the old secret succeeds', async () => {
    const user = await nodes.first.addUser()
    const { id, key } = (await nodes.first.post('/integrations/keys', { name: 'K', widgets: true }, user.token)).body
    expect(tally(await nodes.atOnce(20, (node) => node.get('/widgets', key)))).toEqual({ 200: 20 })

    const rolled = (await nodes.first.post(`/integrations/keys/${id}/roll`, undefined, user.token)).body.key
    expect(tally(await nodes.atOnce(100, (node) => node.get('/widgets', key)))).toEqual({ '401 token.invalid': 100 })
    expect(tally(await nodes.atOnce(20, (node) => node.get('/widgets', rolled)))).toEqual({ 200: 20 })

    await nodes.first.del(`/integrations/keys/${id}`, user.token)
    expect(tally(await nodes.atOnce(100, (node) => node.get('/widgets', rolled)))).toEqual({ '401 token.invalid': 100 })
  })
})

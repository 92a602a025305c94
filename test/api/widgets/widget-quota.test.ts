// The quota of widget changes, and its reset at the start of the month.
import { describe, expect, test } from 'vitest'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()
const input = { slug: 'load', name: 'Load', content: { template: 'value', value: 1 } }
let value = 1
// Each sends another value: a patch that changes nothing is free.
const patch = (token: string) => app.patch('/widgets/load', { content: { value: ++value } }, token)
const used = async (token: string) => (await app.get('/auth/me', token)).body.widget_updates_used

describe('widget updates', () => {
  test('creating uses no quota, a repeated POST and a patch use one, a refused patch uses none', async () => {
    const { token } = await app.addUser('free')
    await app.post('/widgets', input, token)
    expect(await used(token)).toBe(0)
    await app.post('/widgets', { ...input, name: 'Load 2' }, token)
    expect(await used(token)).toBe(1)
    await patch(token)
    expect(await used(token)).toBe(2)
    await app.patch('/widgets/load', { content: { value: 'x' } }, token)
    await app.patch('/widgets/load', { content: { template: 'gauge' } }, token)
    await app.patch('/widgets/none', { name: 'x' }, token)
    await app.del('/widgets/load', token)
    expect(await used(token)).toBe(2)
  })

  test('a patch or POST that changes nothing uses no quota and moves updated_at, even when the quota is used up', async () => {
    const user = await app.addUser('free')
    const action = { url: 'https://example.org', method: 'post', headers: { a: '1', b: '2' } }
    const content = { template: 'value', value: 0, unit: 'users', tap_action: action }
    const full = { ...input, content, push_throttle: 30, stale_after: 600 }
    await app.post('/widgets', full, user.token)
    await setUsed(app, user, 'widget_updates', 50)
    const reordered = { unit: 'users', tap_action: { ...action, headers: { b: '2', a: '1' } }, value: -0, icon: null }
    let updatedAt = ''
    for (const answer of [
      await app.patch('/widgets/load', { content: { value: 0 } }, user.token),
      await app.patch('/widgets/load', { content: reordered }, user.token),
      await app.patch('/widgets/load', { name: 'Load', push_throttle: 30 }, user.token),
      await app.post('/widgets', { ...full, content: { ...reordered, template: 'value' } }, user.token),
    ]) {
      expect(answer.status, answer.text).toBeLessThan(300)
      expect(answer.body.updated_at > updatedAt).toBe(true)
      updatedAt = answer.body.updated_at
    }
    expect(await used(user.token)).toBe(50)
    for (const change of [{ content: { value: 1 } }, { name: 'L' }, { push_throttle: null }, { stale_after: 601 }]) {
      expectProblem(await app.patch('/widgets/load', change, user.token), 429, 'quota.exceeded')
    }
  })

  test('all keys of an account share one count, separate from other accounts', async () => {
    const [user, neighbour] = [await app.addUser('free'), await app.addUser('free')]
    const key = await app.addKey(user, { permissions: { widgets: 'write' } })
    await app.post('/widgets', input, key)
    await patch(key)
    await patch(user.token)
    await patch(user.defaultKey)
    expect([await used(key), await used(user.token), await used(neighbour.token)]).toEqual([3, 3, 0])
  })

  test('on the paid plan they are counted and never refused', async () => {
    const { token } = await app.addUser('paid')
    await app.post('/widgets', input, token)
    for (let count = 0; count < 51; count++) expect((await patch(token)).status).toBe(200)
    expect(await used(token)).toBe(51)
  })
})

describe('R09: the quota of the month', () => {
  test('429 quota.exceeded until the last second of the month, 200 from midnight UTC on the 1st', async () => {
    app.clock.set(fromRfc3339('2026-11-30T23:59:58Z'))
    const { token } = await app.addUser('free')
    await app.post('/widgets', input, token)
    for (let count = 0; count < 50; count++) expect((await patch(token)).status).toBe(200)

    const refused = await patch(token)
    expectProblem(refused, 429, 'quota.exceeded')
    expect(refused.body).toMatchObject({
      kind: 'widget_updates',
      used: 50,
      limit: 50,
      reset_at: '2026-12-01T00:00:00.000Z',
      retry_after_ms: 2000,
    })
    expect(refused.headers.get('retry-after')).toBe('2')
    expectProblem(await app.post('/widgets', { ...input, name: 'Other' }, token), 429, 'quota.exceeded')
    expect((await app.post('/widgets', { ...input, slug: 'new' }, token)).status).toBe(201)
    expect(await used(token)).toBe(50)

    app.clock.set(fromRfc3339('2026-11-30T23:59:59.999Z'))
    expectProblem(await patch(token), 429, 'quota.exceeded')
    app.clock.set(fromRfc3339('2026-12-01T00:00:00Z'))
    expect((await patch(token)).status).toBe(200)
    expect((await app.get('/auth/me', token)).body).toMatchObject({
      quota_period_month: 202612,
      widget_updates_used: 1,
      quota_resets_at: '2027-01-01T00:00:00.000Z',
    })
  })
})

// The quota of sending, counted in the transaction of the notification, and the quota in a dry run.
import { describe, expect, test } from 'vitest'
import { QUOTAS } from '../../../src/contract/limits.ts'
import { fromRfc3339 } from '../../../src/domain/instant.ts'
import type { TestUser } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { useTestNodes } from '../../support/nodes.ts'
import { setUsed } from '../../support/usage.ts'

const nodes = useTestNodes()
const plain = { title: 'Disk full', body: 'node-3 has 2 % left' }
const send = ({ token }: TestUser, members: Record<string, unknown> = {}) =>
  nodes.first.post('/notifications', { ...plain, ...members }, token)
const used = async ({ token }: TestUser) => (await nodes.first.get('/auth/me', token)).body.notifications_used
const stored = async ({ token }: TestUser) => (await nodes.first.get('/notifications', token)).body.items.length

const use = (user: TestUser, count: number) => setUsed(nodes.first, user, 'notifications', count)

describe('POST /notifications and the quota', () => {
  test('201 uses one unit, also without devices; push false uses none', async () => {
    const user = await nodes.first.addUser('free')
    await send(user)
    await send(user, { push: false })
    expect([await used(user), await stored(user)]).toEqual([1, 2])
  })

  test('a refused notification uses no quota', async () => {
    const user = await nodes.first.addUser('free')
    await send(user, { url: 'javascript:x' })
    await send(user, { title: '' })
    await send(user, { activity_slug: 'build' })
    expect(await used(user)).toBe(0)
  })

  test('R09 429 quota.exceeded until the last second of the month; push false is still accepted', async () => {
    nodes.first.clock.set(fromRfc3339('2026-11-30T23:59:58Z'))
    const user = await nodes.first.addUser('free')
    const limit = QUOTAS.free.notifications?.limit ?? 0
    await use(user, limit)
    const refused = await send(user)
    expectProblem(refused, 429, 'quota.exceeded')
    expect(refused.body).toMatchObject({
      kind: 'notifications',
      used: limit,
      limit,
      reset_at: '2026-12-01T00:00:00.000Z',
      retry_after_ms: 2000,
    })
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await stored(user)).toBe(0)
    expect((await send(user, { push: false })).status).toBe(201)

    nodes.first.clock.set(fromRfc3339('2026-12-01T00:00:00Z'))
    expect((await send(user)).status).toBe(201)
    expect(await used(user)).toBe(1)
  })

  test('429 on the paid plan at the daily limit, 201 after midnight UTC', async () => {
    nodes.first.clock.set(fromRfc3339('2026-12-10T22:00:00Z'))
    const user = await nodes.first.addUser('paid')
    await use(user, QUOTAS.paid.notifications?.limit ?? 0)
    const refused = await send(user)
    expectProblem(refused, 429, 'quota.exceeded')
    expect(refused.body.reset_at).toBe('2026-12-11T00:00:00.000Z')
    nodes.first.advanceSeconds(2 * 3600)
    expect((await send(user)).status).toBe(201)
    const account = (await nodes.first.get('/auth/me', user.token)).body
    // The daily count starts at zero, the monthly one continues.
    expect([account.notifications_used, account.notifications_used_month]).toEqual([1, 5001])
  })

  test('R20 30 concurrent sends with one unit left, on all nodes: exactly one is sent, stored and counted', async () => {
    const user = await nodes.first.addUser('free')
    await use(user, 499)
    const answers = await nodes.atOnce(30, (node) => node.post('/notifications', plain, user.token))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'quota.exceeded')).toHaveLength(29)
    expect([await used(user), await stored(user)]).toEqual([500, 1])
  })
})

describe('POST /notifications?dry_run=true', () => {
  const rehearse = ({ token }: TestUser, members: Record<string, unknown> = {}) =>
    nodes.first.post('/notifications?dry_run=true', { ...plain, ...members }, token)

  test('200 shows what would be sent and counted, and stores nothing', async () => {
    const user = await nodes.first.addUser('free')
    const { status, body } = await rehearse(user, { actions: [{ id: 'ok', title: 'OK' }] })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      valid: true,
      would: { action: 'sent', resource: plain, quota: { kind: 'notifications', cost: 1, used: 1, limit: 500 } },
    })
    const payloads = new Map<string, { payload: Record<string, unknown>; bytes: number }>(
      body.would.pushes.map((push: { channel: string }) => [push.channel, push]),
    )
    expect(payloads.get('apns')?.payload).toMatchObject({ aps: { alert: plain }, actions: [{ id: 'ok' }] })
    expect(payloads.get('web_push')?.payload).toMatchObject({ type: 'notification', ...plain })
    for (const { payload, bytes } of payloads.values()) {
      expect(bytes).toBe(Buffer.byteLength(JSON.stringify(payload)))
    }
    expect([await used(user), await stored(user)]).toEqual([0, 0])
    expect((await nodes.first.get('/notifications/unread-count', user.token)).body).toEqual({ count: 0 })
  })

  test('200 with push false it would be stored, without pushes or quota', async () => {
    const { would } = (await rehearse(await nodes.first.addUser(), { push: false })).body
    expect(would).toMatchObject({ action: 'stored', pushes: [] })
    expect(would).not.toHaveProperty('quota')
  })

  test('400, 403, 422 and 429 as without a dry run', async () => {
    const user = await nodes.first.addUser('free')
    expectProblem(await rehearse(user, { url: 'file:///etc/passwd' }), 400, 'notification.invalid')
    expectProblem(await rehearse(user, { level: 'loud' }), 422, 'request.validation_failed')
    const key = await nodes.first.addKey(user, { permissions: { widgets: 'read' } })
    const denied = await nodes.first.post('/notifications?dry_run=true', plain, key)
    expectProblem(denied, 403, 'integration_key.permission_denied')
    await use(user, 500)
    expectProblem(await rehearse(user), 429, 'quota.exceeded')
  })
})

// ?dry_run=true: all checks and the answer of the change, without storing anything.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'
import { setUsed } from '../../support/usage.ts'

const app = useTestApp()
const gauge = { template: 'gauge', value: 1, min_value: 0, max_value: 5 }
const input = { slug: 'load', name: 'Load', content: gauge }
const now = () => new Date(app.clock.now()).toISOString()
const rehearse = (body: unknown, token?: string) => app.post('/widgets?dry_run=true', body, token)
const rehearsePatch = (body: unknown, token?: string) => app.patch('/widgets/load?dry_run=true', body, token)
const waitingJobs = async () => (await app.app.ctx.db.read.all(sql`select id from jobs`)).length

describe('POST /widgets?dry_run=true', () => {
  test('200 for a new slug: nothing is stored, and it would neither push nor use quota', async () => {
    const { token } = await app.addUser('free')
    const answer = await rehearse(input, token)
    expect(answer.status).toBe(200)
    expect(answer.headers.has('x-resource-action')).toBe(false)
    expect(answer.body).toEqual({
      valid: true,
      would: { action: 'created', resource: { ...input, created_at: now(), updated_at: now() }, pushes: [] },
    })
    expectProblem(await app.get('/widgets/load', token), 404, 'widget.not_found')
  })

  test('200 for an existing slug: the result is returned and not stored', async () => {
    const { token } = await app.addUser()
    const before = (await app.post('/widgets', input, token)).body
    const { body } = await rehearse({ ...input, name: 'Other' }, token)
    expect(body.would).toMatchObject({ action: 'updated', resource: { name: 'Other' } })
    expect((await app.get('/widgets/load', token)).body).toEqual(before)
    expect(await waitingJobs()).toBe(0)
  })

  test('201 with dry_run=false', async () => {
    const { token } = await app.addUser()
    expect((await app.post('/widgets?dry_run=false', input, token)).status).toBe(201)
  })

  test('403 integration_key.permission_denied for a key with read level', async () => {
    const key = await app.addKey(await app.addUser(), { permissions: { widgets: 'read' } })
    expectProblem(await rehearse(input, key), 403, 'integration_key.permission_denied')
  })

  test('422 widget.content_invalid and request.validation_failed, as without a dry run', async () => {
    const { token } = await app.addUser()
    const tooHigh = { ...input, content: { ...gauge, value: 6 } }
    expectProblem(await rehearse(tooHigh, token), 422, 'widget.content_invalid')
    expectProblem(await rehearse({ ...input, name: '' }, token), 422, 'request.validation_failed')
  })

  test.each(['maybe', '', '1', 'TRUE'])('422 for dry_run=%s', async (value) => {
    const { token } = await app.addUser()
    const refused = await app.post(`/widgets?dry_run=${value}`, input, token)
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused)).toEqual(['query.dry_run'])
    expectProblem(await app.get('/widgets/load', token), 404, 'widget.not_found')
  })

  test('429 widget.limit_exceeded at the 51st', async () => {
    const { token } = await app.addUser()
    for (let count = 0; count < 50; count++) await app.post('/widgets', { ...input, slug: `w${count}` }, token)
    expectProblem(await rehearse(input, token), 429, 'widget.limit_exceeded')
  })
})

describe('PATCH /widgets/:slug?dry_run=true', () => {
  test('200 with the payloads, their sizes and the quota; nothing is changed, counted or pushed', async () => {
    const { token } = await app.addUser('free')
    const before = (await app.post('/widgets', input, token)).body
    const answer = await rehearsePatch({ content: { value: 5 } }, token)
    expect(answer.status).toBe(200)
    expect(answer.body.would).toMatchObject({
      action: 'updated',
      resource: { content: { ...gauge, value: 5 } },
      pushes: [{ channel: 'apns' }, { channel: 'web_push' }],
      quota: { kind: 'widget_updates', cost: 1, used: 1, limit: 50 },
    })
    for (const push of answer.body.would.pushes) {
      expect(push.bytes).toBe(Buffer.byteLength(JSON.stringify(push.payload)))
    }
    expect((await app.get('/widgets/load', token)).body).toEqual(before)
    expect((await app.get('/auth/me', token)).body.widget_updates_used).toBe(0)
    expect(await waitingJobs()).toBe(0)
  })

  test('200 an unchanged widget would be pushed without using quota, even when the quota is used up', async () => {
    const user = await app.addUser('free')
    await app.post('/widgets', input, user.token)
    await setUsed(app, user, 'widget_updates', 50)
    for (const rehearsed of [
      await rehearsePatch({ content: { value: gauge.value } }, user.token),
      await rehearse(input, user.token),
    ]) {
      expect(rehearsed.body.would).toMatchObject({
        action: 'updated',
        pushes: [{ channel: 'apns' }, { channel: 'web_push' }],
        quota: { kind: 'widget_updates', cost: 0, used: 50, limit: 50 },
      })
    }
  })

  test('404 widget.not_found for an unknown slug', async () => {
    const { token } = await app.addUser()
    expectProblem(await rehearsePatch({ name: 'x' }, token), 404, 'widget.not_found')
  })

  test('429 quota.exceeded when the quota is used up', async () => {
    const user = await app.addUser('free')
    await app.post('/widgets', input, user.token)
    await setUsed(app, user, 'widget_updates', 50)
    expectProblem(await rehearsePatch({ name: 'x' }, user.token), 429, 'quota.exceeded')
  })
})

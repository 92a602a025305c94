// Hooks: who manages them, their addresses, the requests they keep, replays and previews.
import { describe, expect, onTestFinished, test } from 'vitest'
import { useTestApp } from '../../../support/app.ts'
import { openEvents } from '../../../support/event-reader.ts'
import { eventually } from '../../../support/eventually.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { addHook, sendTo } from '../../../support/hooks/hook.ts'

const app = useTestApp()

describe('POST /integrations/hooks', () => {
  test('201 with an address that is shown once', async () => {
    const user = await app.addUser()
    const input = {
      name: 'CI',
      kind: 'github',
      secret: 'long enough',
      options: { events: ['push'], resolved: 'quiet' },
    }
    const { status, body } = await app.post('/integrations/hooks', input, user.token)
    const { secret: _, ...shown } = input
    expect([status, body]).toEqual([
      201,
      {
        ...shown,
        id: expect.any(String),
        key_id: expect.any(String),
        has_secret: true,
        storm: { pushes_per_minute: 30 },
        url: expect.stringMatching(/\/hooks\/[0-9A-Za-z]{32}$/),
        created_at: expect.any(String),
      },
    ])
    const { url: __, ...listed } = body
    expect((await app.get('/integrations/hooks', user.token)).body).toEqual({ items: [listed] })
    expect((await app.get(`/integrations/hooks/${body.id}`, user.token)).body).toEqual(listed)
  })

  test('201 with the key it names, whose permissions hold for its requests', async () => {
    const user = await app.addUser()
    const key = (await app.post('/integrations/keys', { name: 'none', permissions: {} }, user.token)).body
    const hook = await addHook(app, { key_id: key.id }, user)
    const refused = await hook.send('hello')
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([403, 'integration_key.permission_denied'])
    expect((await hook.requests())[0]?.outcome).toMatchObject({
      result: 'refused',
      code: 'integration_key.permission_denied',
    })
  })

  test('404 for a key of another account', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const key = (await app.post('/integrations/keys', { name: 'K' }, other.token)).body
    const answer = await app.post('/integrations/hooks', { name: 'H', kind: 'auto', key_id: key.id }, user.token)
    expectProblem(answer, 404, 'integration_key.not_found')
  })

  test.each([
    [{ kind: 'template' }, 'needs a template'],
    [{ kind: 'auto', template: { title: 'x' } }, 'needs the kind template'],
    [{ kind: 'template', template: { title: '{{ body.title' } }, 'body.template.title output'],
    [{ kind: 'template', template: { body: '{{ body | nonsense }}' } }, 'undefined filter'],
  ])('400 for the template of %j', async (input, detail) => {
    const user = await app.addUser()
    const answer = await app.post('/integrations/hooks', { name: 'H', ...input }, user.token)
    expectProblem(answer, 400, 'hook.template_invalid')
    expect(answer.body.detail).toContain(detail)
  })

  test.each([
    [{ name: '', kind: 'auto' }],
    [{ name: 'x'.repeat(65), kind: 'auto' }],
    [{ name: 'H', kind: 'unknown' }],
    [{ name: 'H', kind: 'auto', secret: 'short' }],
    [{ name: 'H', kind: 'auto', options: { level: 'loud' } }],
    [{ name: 'H', kind: 'auto', options: { level: { warning: 'loud' } } }],
    [{ name: 'H', kind: 'auto', options: { acknowledge_from: 'passive' } }],
    [{ name: 'H', kind: 'template', template: {} }],
  ])('422 for %j', async (input) => {
    const user = await app.addUser()
    expectProblem(await app.post('/integrations/hooks', input, user.token), 422, 'request.validation_failed')
  })

  test('409 for the 51st', async () => {
    const user = await app.addUser()
    for (let i = 0; i < 50; i++) await addHook(app, {}, user)
    const answer = await app.post('/integrations/hooks', { name: 'H', kind: 'auto' }, user.token)
    expectProblem(answer, 409, 'hook.limit_exceeded')
  })
})

describe('PATCH, roll and DELETE /integrations/hooks/{hook_id}', () => {
  test('200 with the changes; the address stays', async () => {
    const hook = await addHook(app, { secret: 'long enough' })
    const patch = { name: 'New', kind: 'generic', secret: null, options: { level: 'critical' } }
    const { status, body } = await app.patch(hook.path, patch, hook.user.token)
    expect([status, body]).toMatchObject([200, { name: 'New', kind: 'generic', has_secret: false }])
    expect((await hook.send({ message: 'M' })).status).toBe(200)
    expect(await hook.newest()).toMatchObject({ title: 'New', body: 'M', level: 'critical' })
  })

  test('400 for a hook that would lose its template or have a useless one', async () => {
    const hook = await addHook(app, { kind: 'template', template: { title: 'T' } })
    const change = (patch: object) => app.patch(hook.path, patch, hook.user.token)
    expectProblem(await change({ template: null }), 400, 'hook.template_invalid')
    expect((await change({ kind: 'auto' })).body).not.toHaveProperty('template')
    expectProblem(await change({ template: { title: 'T' } }), 400, 'hook.template_invalid')
  })

  test('a rolled hook has another address, and a deleted one none', async () => {
    const hook = await addHook(app)
    const rolled = (await app.post(`${hook.path}/roll`, undefined, hook.user.token)).body
    expect((await hook.send('old')).status).toBe(404)
    expect((await sendTo(rolled.url, 'new')).status).toBe(200)
    expect((await app.del(hook.path, hook.user.token)).status).toBe(204)
    expect(await sendTo(rolled.url, 'gone')).toMatchObject({ status: 404, text: 'no_service' })
    expectProblem(await app.get(hook.path, hook.user.token), 404, 'hook.not_found')
  })

  test('the deletion of its key ends a hook; a new secret of the key does not', async () => {
    const user = await app.addUser()
    const key = { name: 'K', permissions: { notifications: 'send' } }
    const { id } = (await app.post('/integrations/keys', key, user.token)).body
    const hook = await addHook(app, { key_id: id }, user)
    await app.post(`/integrations/keys/${id}/roll`, undefined, user.token)
    expect((await hook.send('M')).status).toBe(200)
    await app.del(`/integrations/keys/${id}`, user.token)
    expect((await hook.send('M')).status).toBe(404)
  })
})

describe('GET /integrations/hooks/{hook_id}/requests', () => {
  test('200 with what was sent, without credentials, and what became of it', async () => {
    const hook = await addHook(app, { kind: 'generic' })
    const headers = { authorization: 'Bearer x', 'x-gitlab-token': 'x', 'x-api-key': 'x', 'x-note': 'kept' }
    await sendTo(`${hook.url}?token=secret&a=b`, { message: 'M' }, { ...headers, 'idempotency-key': '1' })
    const [request] = await hook.requests()
    expect(request).toEqual({
      number: 1,
      received_at: expect.any(String),
      method: 'POST',
      headers: expect.objectContaining({
        'x-note': 'kept',
        'idempotency-key': '1',
        'content-type': 'application/json',
      }),
      query: 'token=…&a=b',
      body: '{"message":"M"}',
      body_encoding: 'utf-8',
      body_bytes: 15,
      outcome: { result: 'sent', kind: 'generic', notification_ids: [(await hook.newest()).id] },
    })
    for (const name of ['authorization', 'x-gitlab-token', 'x-api-key'])
      expect(request?.headers).not.toHaveProperty(name)
  })

  test('the last 10 of 7 days, newest first', async () => {
    const hook = await addHook(app)
    for (let i = 1; i <= 12; i++) await hook.send(`request ${i}`)
    const kept = await hook.requests()
    expect(kept.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    expect(kept[0]?.body).toBe('request 12')
    app.advanceSeconds(7 * 86_400 + 1)
    expect(await hook.requests()).toEqual([])
  })

  test('bytes that are no text are shown in base64', async () => {
    const hook = await addHook(app)
    const bytes = Buffer.from([0xff, 0x00, 0x41])
    await sendTo(hook.url, bytes.toString('latin1'), { 'content-type': 'text/plain' })
    await fetch(hook.url, { method: 'POST', body: bytes })
    expect((await hook.requests())[0]).toMatchObject({ body: bytes.toString('base64'), body_encoding: 'base64' })
  })

  test('hook.received tells of each request at once', async () => {
    const hook = await addHook(app)
    const events = await openEvents(app.url, hook.user.token)
    onTestFinished(() => events.close())
    await hook.send('first')
    await eventually(() => expect(events.types()).toContain('hook.received'))
  })
})

describe('POST /integrations/hooks/{hook_id}/requests/{number}/replay', () => {
  test('200: it is carried out again, by the hook as it is now', async () => {
    const hook = await addHook(app)
    await hook.send({ message: 'M' }, { 'idempotency-key': 'once' })
    const first = await hook.newest()
    await app.patch(hook.path, { options: { level: 'critical' } }, hook.user.token)
    const { status, body } = await app.post(`${hook.path}/requests/1/replay`, undefined, hook.user.token)
    expect([status, body]).toMatchObject([200, { result: 'sent', kind: 'generic' }])
    expect(await hook.newest()).toMatchObject({ id: body.notification_ids[0], body: 'M', level: 'critical' })
    expect(body.notification_ids[0]).not.toBe(first.id)
  })

  test('404 for a request that is not kept', async () => {
    const hook = await addHook(app)
    const answer = await app.post(`${hook.path}/requests/1/replay`, undefined, hook.user.token)
    expectProblem(answer, 404, 'hook.request_not_found')
  })

  test('409 for a request that was not kept whole', async () => {
    const hook = await addHook(app)
    await hook.send({ message: 'M', rest: 'é'.repeat(40_000) })
    const [kept] = await hook.requests()
    expect([Buffer.byteLength(String(kept?.body)), kept?.body_encoding]).toEqual([
      expect.toSatisfy((n) => n <= 65_536),
      'utf-8',
    ])
    const answer = await app.post(`${hook.path}/requests/1/replay`, undefined, hook.user.token)
    expectProblem(answer, 409, 'hook.request_incomplete')
  })
})

describe('POST /integrations/hooks/{hook_id}/preview', () => {
  test('200 with the notification, for a body and for a kept request', async () => {
    const hook = await addHook(app, { options: { acknowledge_from: 'critical' } })
    const preview = (body: object) => app.post(`${hook.path}/preview`, body, hook.user.token)
    const request = { title: 'T', message: 'M', priority: 5, url: 'https://a.example/' }
    const expected = { title: 'T', body: 'M', level: 'critical', url: 'https://a.example/', acknowledge: {} }
    expect((await preview({ request })).body).toMatchObject({
      result: 'sent',
      kind: 'generic',
      notifications: [expected],
    })
    expect((await preview({ request: 'text alone' })).body).toMatchObject({
      notifications: [{ title: 'Hook', body: 'text alone' }],
    })
    expect((await app.get('/notifications', hook.user.token)).body.items).toEqual([])
    await hook.send(request)
    expect((await preview({ request: 1 })).body).toMatchObject({ notifications: [expected] })
  })

  test('200 with headers that tell the kind', async () => {
    const hook = await addHook(app)
    const body = { request: { zen: 'Z', repository: { full_name: 'a/b' } }, headers: { 'X-GitHub-Event': 'ping' } }
    const answer = await app.post(`${hook.path}/preview`, body, hook.user.token)
    expect(answer.body).toMatchObject({
      kind: 'github',
      notifications: [{ title: 'Webhook connected', level: 'passive' }],
    })
  })

  test('200 with a template that is tried out', async () => {
    const hook = await addHook(app)
    const template = { title: '{{ body.name | upcase }}', drop: '{{ body.test }}' }
    const preview = (request: object) => app.post(`${hook.path}/preview`, { request, template }, hook.user.token)
    expect((await preview({ name: 'door' })).body).toMatchObject({
      kind: 'template',
      notifications: [{ title: 'DOOR' }],
    })
    expect((await preview({ name: 'door', test: true })).body).toMatchObject({ result: 'dropped', notifications: [] })
  })

  test('400 for a template that cannot be parsed', async () => {
    const hook = await addHook(app)
    const body = { request: {}, template: { title: '{% if %}' } }
    expectProblem(await app.post(`${hook.path}/preview`, body, hook.user.token), 400, 'hook.template_invalid')
  })
})

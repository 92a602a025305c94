// Widgets by endpoint. The rules of the templates are tested in test/domain; here, that the API applies them.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
beforeEach(async () => {
  user = await app.addUser()
})

const gauge = { template: 'gauge', value: 1, min_value: 0, max_value: 5 }
const input = { slug: 'load', name: 'Load', content: gauge }
const post = (body: Record<string, unknown> = {}, token = user.token) =>
  app.post('/widgets', { ...input, ...body }, token)
const patch = (body: unknown, token = user.token) => app.patch('/widgets/load', body, token)
const read = async () => (await app.get('/widgets/load', user.token)).body
const now = () => new Date(app.clock.now()).toISOString()

describe('POST /widgets', () => {
  test('201 created', async () => {
    const answer = await post({ push_throttle: 60, stale_after: 3600 })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-resource-action')).toBe('created')
    expect(answer.body).toEqual({
      ...input,
      push_throttle: 60,
      stale_after: 3600,
      created_at: now(),
      updated_at: now(),
    })
    expect(await read()).toEqual(answer.body)
  })

  test('201 updated in place: absent options are cleared, created_at is kept', async () => {
    const created = await post({ push_throttle: 60, stale_after: 3600 })
    app.advanceSeconds(5)
    const updated = await post({ name: 'Load 2', content: { template: 'value', value: 7 } })
    expect(updated.status).toBe(201)
    expect(updated.headers.get('x-resource-action')).toBe('updated')
    expect(updated.body).toEqual({
      slug: 'load',
      name: 'Load 2',
      content: { template: 'value', value: 7 },
      created_at: created.body.created_at,
      updated_at: now(),
    })
  })

  test('201 slugs are per account', async () => {
    const neighbour = await app.addUser()
    await post({}, neighbour.token)
    expect((await post()).headers.get('x-resource-action')).toBe('created')
  })

  test('400 request.body_required without a body', async () => {
    expectProblem(await app.post('/widgets', undefined, user.token), 400, 'request.body_required')
  })

  test('401 token.invalid without a token', async () => {
    expectProblem(await app.post('/widgets', input), 401, 'token.invalid')
  })

  test('403 integration_key.permission_denied for a key with read level', async () => {
    const key = await app.addKey(user, { permissions: { widgets: 'read' } })
    const refused = await post({}, key)
    expectProblem(refused, 403, 'integration_key.permission_denied')
    expect(refused.body.detail).toContain('widgets:write')
  })

  test('403 integration_key.slug_invalid outside of the key’s slugs, before the body is checked', async () => {
    const key = await app.addKey(user, { permissions: { widgets: 'write' }, widget_slugs: ['ci-*'] })
    expectProblem(await post({ content: 'nonsense' }, key), 403, 'integration_key.slug_invalid')
    expect((await post({ slug: 'ci-1' }, key)).status).toBe(201)
  })

  test('422 widget.content_invalid for a rule of the template', async () => {
    const refused = await post({ content: { ...gauge, value: 6 } })
    expectProblem(refused, 422, 'widget.content_invalid')
    expect(locations(refused)).toEqual(['body.content.value'])
  })

  test('422 request.validation_failed lists every violation', async () => {
    const refused = await post({
      slug: '-bad',
      name: '',
      content: { template: 'dial', label: 5, gadget: true },
      push_throttle: 3601,
      stale_after: 59,
      user_id: 'someone',
    })
    expectProblem(refused, 422, 'request.validation_failed')
    expect(locations(refused).sort()).toEqual([
      'body.content.gadget',
      'body.content.label',
      'body.content.template',
      'body.name',
      'body.push_throttle',
      'body.slug',
      'body.stale_after',
      'body.user_id',
    ])
  })

  test.each([
    ['push_throttle', 1, LIMITS.widget.pushThrottleSeconds.max],
    ['stale_after', LIMITS.widget.staleAfterSeconds.min, LIMITS.widget.staleAfterSeconds.max],
  ])('201 and 422 at the limits of %s', async (member, least, most) => {
    for (const value of [least, most, null]) expect((await post({ [member]: value })).status).toBe(201)
    for (const value of [least - 1, most + 1, least + 0.5, String(least), true]) {
      expectProblem(await post({ [member]: value }), 422, 'request.validation_failed')
    }
  })

  test('429 widget.limit_exceeded at the 51st, while an existing slug can still be updated', async () => {
    for (let count = 0; count < LIMITS.widget.maxPerAccount; count++) {
      expect((await post({ slug: `w${count}` })).status).toBe(201)
    }
    expectProblem(await post({ slug: 'one-more' }), 429, 'widget.limit_exceeded')
    expect((await post({ slug: 'w0' })).headers.get('x-resource-action')).toBe('updated')
    await app.del('/widgets/w1', user.token)
    expect((await post({ slug: 'one-more' })).status).toBe(201)
  })
})

describe('GET /widgets', () => {
  test('200 every widget of the caller and none of others', async () => {
    const neighbour = await app.addUser()
    await post({ slug: 'theirs' }, neighbour.token)
    expect((await app.get('/widgets', user.token)).body).toEqual({ items: [] })
    const made = [await post({ slug: 'b' }), await post({ slug: 'a' })]
    const answer = await app.get('/widgets', user.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ items: made.map(({ body }) => body).reverse() })
  })

  test('200 sorted by slug, upper case before lower case, on every database', async () => {
    for (const slug of ['b', 'a_b', 'B', 'a-b', '9', 'a', 'A1', 'ab']) await post({ slug })
    const { items } = (await app.get('/widgets', user.token)).body
    const slugs = items.map(({ slug }: { slug: string }) => slug)
    expect(slugs).toEqual(['9', 'A1', 'B', 'a', 'a-b', 'a_b', 'ab', 'b'])
  })

  test('200 a key limited to slugs sees only those', async () => {
    const key = await app.addKey(user, { permissions: { widgets: 'read' }, widget_slugs: ['ci-*', 'load'] })
    for (const slug of ['ci-1', 'ci-2', 'load', 'load-2', 'other']) await post({ slug })
    const { items } = (await app.get('/widgets', key)).body
    expect(items.map(({ slug }: { slug: string }) => slug)).toEqual(['ci-1', 'ci-2', 'load'])
  })
})

describe('GET /widgets/:slug', () => {
  test('200 the widget', async () => {
    const created = await post()
    const answer = await app.get('/widgets/load', user.token)
    expect([answer.status, answer.body]).toEqual([200, created.body])
  })

  test.each(['-x', 'a.b', 'a%20b', '%C3%A9', 'x'.repeat(129)])('400 slug.invalid for %s', async (slug) => {
    expectProblem(await app.get(`/widgets/${slug}`, user.token), 400, 'slug.invalid')
  })

  test('403 integration_key.slug_invalid whether or not the slug exists', async () => {
    const key = await app.addKey(user, { permissions: { widgets: 'read' }, widget_slugs: ['ci-*'] })
    await post()
    expectProblem(await app.get('/widgets/load', key), 403, 'integration_key.slug_invalid')
    expectProblem(await app.get('/widgets/none', key), 403, 'integration_key.slug_invalid')
  })

  test('404 widget.not_found for an unknown slug, and for another case', async () => {
    await post()
    expectProblem(await app.get('/widgets/nothing', user.token), 404, 'widget.not_found')
    expectProblem(await app.get('/widgets/LOAD', user.token), 404, 'widget.not_found')
  })
})

describe('PATCH /widgets/:slug', () => {
  test('200 merges content, keeps absent members, clears with null', async () => {
    await post({ content: { ...gauge, label: 'CPU', unit: '%' }, stale_after: 60, push_throttle: 5 })
    app.advanceSeconds(1)
    const answer = await patch({ content: { value: 2, label: null }, stale_after: null })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ name: 'Load', push_throttle: 5, updated_at: now() })
    expect(answer.body.content).toEqual({ ...gauge, value: 2, unit: '%' })
    expect(answer.body).not.toHaveProperty('stale_after')
    expect(await read()).toEqual(answer.body)
  })

  test.each(['application/merge-patch+json', 'application/json', 'application/json; charset=UTF-8'])(
    '200 with content type %s',
    async (type) => {
      await post()
      const raw = JSON.stringify({ name: 'New' })
      const answer = await app.call('PATCH', '/widgets/load', {
        token: user.token,
        raw,
        headers: { 'content-type': type },
      })
      expect([answer.status, answer.body.name]).toEqual([200, 'New'])
    },
  )

  test('200 even a patch that changes nothing moves updated_at, also within one millisecond', async () => {
    const created = (await post()).body
    const first = (await patch({ name: 'Load' })).body
    const second = (await patch({ content: {} })).body
    expect(Date.parse(first.updated_at)).toBe(Date.parse(created.updated_at) + 1)
    expect(Date.parse(second.updated_at)).toBe(Date.parse(created.updated_at) + 2)
  })

  test('200 the template changes together with its required fields; 422 without them, and nothing is changed', async () => {
    await post({ content: { template: 'value', value: 3 } })
    const before = await read()
    const refused = await patch({ name: 'X', content: { template: 'gauge', min_value: 0 } })
    expectProblem(refused, 422, 'widget.content_invalid')
    expect(locations(refused)).toEqual(['body.content.max_value'])
    expect(await read()).toEqual(before)
    const changed = await patch({ content: { template: 'gauge', min_value: 0, max_value: 9 } })
    expect(changed.body.content).toEqual({ template: 'gauge', value: 3, min_value: 0, max_value: 9 })
  })

  test('400 request.body_required for no body and for {}', async () => {
    await post()
    expectProblem(await patch(undefined), 400, 'request.body_required')
    expectProblem(await patch({}), 400, 'request.body_required')
  })

  test('404 widget.not_found for an unknown slug', async () => {
    expectProblem(await patch({ name: 'x' }), 404, 'widget.not_found')
  })

  test.each(['slug', 'id', 'created_at', 'updated_at', 'last_pushed_at', 'user_id'])(
    '422 R47: %s cannot be set',
    async (member) => {
      await post()
      const refused = await patch({ name: 'x', [member]: 'y' })
      expectProblem(refused, 422, 'request.validation_failed')
      expect(locations(refused)).toEqual([`body.${member}`])
      expect((await read()).name).toBe('Load')
    },
  )

  test('422 for null in required members: name, content, template', async () => {
    await post()
    expectProblem(await patch({ name: null }), 422, 'request.validation_failed')
    expectProblem(await patch({ content: null }), 422, 'request.validation_failed')
    expectProblem(await patch({ content: { template: null } }), 422, 'widget.content_invalid')
  })
})

describe('DELETE /widgets/:slug', () => {
  test('204, then 404 widget.not_found', async () => {
    await post()
    const answer = await app.del('/widgets/load', user.token)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expectProblem(await app.get('/widgets/load', user.token), 404, 'widget.not_found')
    expectProblem(await app.del('/widgets/load', user.token), 404, 'widget.not_found')
  })

  test('403 integration_key.permission_denied for a key with read level', async () => {
    const key = await app.addKey(user, { permissions: { widgets: 'read' } })
    await post()
    expectProblem(await app.del('/widgets/load', key), 403, 'integration_key.permission_denied')
    expect((await app.get('/widgets/load', key)).status).toBe(200)
  })
})

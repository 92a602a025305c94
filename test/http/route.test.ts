// Rows of the API: what does not compile, and the statuses that they have.
import fastify from 'fastify'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { addRoutes, route, table } from '../../src/http/route.ts'
import type { Context } from '../../src/operations/context.ts'
import { ROUTES } from '../support/matrix/rows.ts'

const View = Type.Object({ name: Type.String() })
const about = { id: 'x', summary: 'X' }
const handle = async () => ({ name: 'x' })

test('the compiler refuses a row that is wrong', () => {
  const mistakes = [
    // @ts-expect-error a route or its table says who may call it
    () => table({ tag: 'X' }, [route('GET /x', { ...about, ok: View, handle })]),
    // @ts-expect-error a table cannot make its rows public
    () => table({ tag: 'X', access: 'public' }, [route('GET /x', { ...about, ok: View, handle })]),
    // @ts-expect-error a permission is one of its resource
    () => route('GET /x', { ...about, access: { resource: 'widgets', level: 'send' }, ok: View, handle }),
    // @ts-expect-error a path has a method
    () => route('/x', { ...about, access: 'user', ok: View, handle }),
    // @ts-expect-error the handler returns what the row answers
    () => route('GET /x', { ...about, access: 'user', ok: View, handle: async () => ({ title: 'x' }) }),
    // @ts-expect-error a row without an answer is 204
    () => route('GET /x', { ...about, access: 'user', handle }),
    // @ts-expect-error a public route has no caller
    () => route('GET /x', { ...about, access: 'public', handle: async ({ caller }) => void caller.userId }),
    () =>
      route('POST /x', {
        ...about,
        access: 'user',
        body: View,
        // @ts-expect-error the body is what its schema says
        handle: async ({ body }) => void body.title,
      }),
  ]
  expect(mistakes).toHaveLength(8)
})

describe('the status', () => {
  const rows = [
    route('GET /ok', { ...about, access: 'public', ok: View, handle }),
    route('POST /created', { ...about, access: 'public', created: View, handle }),
    route('POST /accepted', { ...about, access: 'public', accepted: View, handle }),
    route('DELETE /none', { ...about, access: 'public', handle: async () => {} }),
    route('PUT /either', {
      ...about,
      access: 'public',
      ok: View,
      created: View,
      handle: async ({ reply, request }) => {
        if (request.headers['x-new']) reply.code(201)
        return { name: 'x' }
      },
    }),
  ]

  test.each([
    ['GET', '/ok', {}, 200],
    ['HEAD', '/ok', {}, 200],
    ['POST', '/created', {}, 201],
    ['POST', '/accepted', {}, 202],
    ['DELETE', '/none', {}, 204],
    ['PUT', '/either', {}, 200],
    ['PUT', '/either', { 'x-new': '1' }, 201],
  ] as const)('%s %s %j is %i', async (method, url, headers, status) => {
    const app = fastify()
    addRoutes(app, {} as Context, table({ tag: 'X' }, rows))
    expect((await app.inject({ method, url, headers })).statusCode).toBe(status)
  })
})

test('every route that changes credentials, members or groups is audited', () => {
  const administered =
    /\/(?:keys|aliases|hooks|members|groups|tags|invitations|passkeys|sessions)(?:\/:\w+)?(?:\/roll)?$/
  const changing = ROUTES.filter(({ method, url }) => method !== 'GET' && administered.test(url))
  expect(changing.length).toBeGreaterThan(30)
  expect(changing.filter(({ audited }) => !audited).map(({ id }) => id)).toEqual([])
})

test('operationIds are unique', () => {
  const ids = ROUTES.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

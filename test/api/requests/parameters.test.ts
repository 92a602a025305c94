// Numbers in paths and query strings, on every route: only decimal digits of a safe integer are accepted.
import { beforeAll, describe, expect, test } from 'vitest'
import { withParameters } from '../../support/api-description.ts'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

type Parameter = { name: string; in: 'path' | 'query'; schema: { type?: string } }
type Operation = { parameters?: Parameter[] }
type Document = { paths: Record<string, Record<string, Operation>> }
type Route = { method: string; path: string; operation: Operation }

const app = useTestApp()
let user: TestUser
let orgId: string
let linkToken: string
let routes: Route[]
beforeAll(async () => {
  user = await app.addUser()
  orgId = (await app.post('/orgs', { name: 'Example' }, user.token)).body.id
  const link = { name: 'Screen', widgets: ['*'], activities: ['*'], wall: true }
  linkToken = (await app.post('/screens', link, user.token)).body.token
  const { paths } = withParameters((await app.get('/openapi.json')).body) as Document
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
})

const NO_NUMBERS = [
  'Infinity',
  '-Infinity',
  'NaN',
  '1e999',
  '1e3',
  '1.0',
  '1.5',
  '0x10',
  '+1',
  '-1',
  '%201',
  '1%20',
  '',
  '9007199254740992',
  '99999999999999999999',
  '١',
]

// Other parameters get a valid value.
function target({ path, operation }: Route, wrong: Parameter, value: string): string {
  const filled = path.replace(/\{([^}]+)\}/g, (_, name) => {
    if (wrong.in === 'path' && name === wrong.name) return encodeURI(value)
    if (name === 'org_id') return orgId
    if (path.startsWith('/s/') && name === 'token') return linkToken
    return isNumber(operation.parameters?.find((one) => one.name === name)) ? '1' : 'x'
  })
  return wrong.in === 'query' ? `${filled}?${wrong.name}=${encodeURI(value)}` : filled
}

const isNumber = (parameter: Parameter | undefined) => ['integer', 'number'].includes(parameter?.schema.type ?? '')

// An empty PATCH is refused before its parameters are read.
const BODIES: Record<string, object> = { POST: {}, PUT: {}, PATCH: { name: 'N' } }

describe('R22: numbers in paths and query strings', () => {
  test('422 request.validation_failed for every other form, on every route', async () => {
    let asked = 0
    for (const route of routes) {
      for (const parameter of (route.operation.parameters ?? []).filter(isNumber)) {
        for (const value of NO_NUMBERS) {
          // An empty path segment is another path.
          if (parameter.in === 'path' && value === '') continue
          const path = target(route, parameter, decodeURIComponent(value))
          const body = BODIES[route.method]
          const refused = await app.call(route.method, path, { token: user.token, body })
          expect([route.method, path, refused.status]).toEqual([route.method, path, 422])
          expectProblem(refused, 422, 'request.validation_failed')
          expect(locations(refused)).toContain(`${parameter.in}.${parameter.name}`)
          asked++
        }
      }
    }
    expect(asked).toBeGreaterThan(200)
  })

  test('422 for a number sent twice', async () => {
    expectProblem(await app.get('/notifications?limit=1&limit=2', user.token), 422, 'request.validation_failed')
  })

  test('404 for the largest possible id', async () => {
    expectProblem(await app.get('/notifications/9007199254740991', user.token), 404, 'notification.not_found')
  })

  test('200 for true and false, and 422 for any other word', async () => {
    expect((await app.get('/notifications?unread=true&limit=007', user.token)).status).toBe(200)
    expect((await app.get('/notifications?unread=false', user.token)).status).toBe(200)
    for (const word of ['TRUE', '1', 'yes', '']) {
      expectProblem(await app.get(`/notifications?unread=${word}`, user.token), 422, 'request.validation_failed')
    }
  })
})

test('R22: an id with U+0000 is answered like an unknown one, on every route', async () => {
  const isServerId = ({ name, in: place }: Parameter) => place === 'path' && /(?<!device)_id$/.test(name)
  let asked = 0
  for (const route of routes) {
    for (const parameter of (route.operation.parameters ?? []).filter(isServerId)) {
      const ask = (id: string) => {
        const path = target(route, parameter, 'ID').replace('ID', id)
        return app.call(route.method, path, { token: user.token, body: BODIES[route.method] })
      }
      const [odd, unknown] = [await ask('%00'), await ask('unknown')]
      const name = `${route.method} ${route.path}`
      expect([name, odd.status, odd.body?.code]).toEqual([name, unknown.status, unknown.body?.code])
      asked++
    }
  }
  expect(asked).toBeGreaterThan(50)
})

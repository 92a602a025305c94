// Health, readiness, the API description and the HTML pages.
import { describe, expect, test } from 'vitest'
import { PROBLEMS, problemCode } from '../../../src/contract/problems.ts'
import { instant } from '../../../src/domain/instant.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { enqueueJob } from '../../../src/store/jobs.ts'
import { withParameters } from '../../support/api-description.ts'
import { startTestApp, useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()

describe('GET /health', () => {
  test('200 ok, without a token and with a wrong one', async () => {
    for (const token of [undefined, 'hla_wrong']) {
      const answer = await app.get('/health', token)
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
    }
  })

  test('200 even when queries fail', async () => {
    const broken = await startTestApp()
    await broken.app.ctx.db.transact((tx) => tx.execute(sql`alter table jobs rename to lost`))
    expect((await broken.get('/health')).status).toBe(200)
    expectProblem(await broken.get('/ready'), 503, 'service.unavailable')
    await broken.stop()
  })
})

describe('GET /ready', () => {
  test('200 ready', async () => {
    const answer = await app.get('/ready')
    expect([answer.status, answer.body]).toEqual([200, { status: 'ready' }])
  })

  test('503 service.unavailable with Retry-After 5 while a job is 30 seconds overdue, 200 once it ran', async () => {
    const { ctx } = app.app
    await ctx.db.transact((tx) => enqueueJob(tx, { kind: 'housekeeping', payload: {}, runAt: ctx.clock.now() }))
    app.advanceSeconds(29)
    expect((await app.get('/ready')).status).toBe(200)
    app.advanceSeconds(1)
    const refused = await app.get('/ready')
    expectProblem(refused, 503, 'service.unavailable')
    expect(refused.headers.get('retry-after')).toBe('5')
    await app.runDueJobs()
    expect((await app.get('/ready')).status).toBe(200)
  })

  test('200 however far ahead the next job is', async () => {
    const { ctx } = app.app
    const runAt = instant(ctx.clock.now() + 365 * 86_400_000)
    await ctx.db.transact((tx) => enqueueJob(tx, { kind: 'housekeeping', payload: {}, runAt }))
    expect((await app.get('/ready')).status).toBe(200)
  })
})

type Operation = {
  operationId: string
  tags?: string[]
  summary?: string
  security?: object[]
  responses: Record<string, { description: string; headers?: object; content?: Record<string, unknown> }>
  parameters?: { name: string; in: string; required?: boolean }[]
}
type Document = {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Operation['responses'][string]>; schemas: Record<string, object> }
}

const describeApi = async (): Promise<Document> => withParameters((await app.get('/openapi.json')).body)

async function operations(): Promise<[name: string, path: string, operation: Operation][]> {
  const { paths, components } = await describeApi()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, Operation] => {
      const responses = Object.entries(operation.responses).map(([status, response]) => {
        const shared = /^#\/components\/responses\/(\w+)$/.exec((response as { $ref?: string }).$ref ?? '')?.[1]
        return [status, shared ? components.responses[shared] : response]
      })
      return [`${method} ${path}`, path, { ...operation, responses: Object.fromEntries(responses) }]
    }),
  )
}

describe('GET /openapi.json', () => {
  test('200 an OpenAPI 3.1 document in which every operation has tags, a summary and responses', async () => {
    const document = await describeApi()
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info).toMatchObject({ title: 'Heliograph', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    const all = await operations()
    expect(all.length).toBeGreaterThan(15)
    for (const [name, , operation] of all) {
      expect(operation.tags?.length, name).toBeGreaterThan(0)
      expect(operation.summary, name).toMatch(/\S/)
      const statuses = Object.keys(operation.responses)
      expect(
        statuses.some((status) => /^2\d\d$/.test(status)),
        name,
      ).toBe(true)
      expect(statuses, name).toEqual(expect.arrayContaining(['429', '500', '503']))
    }
  })

  test('every parameter of a path is described', async () => {
    for (const [name, path, { parameters = [] }] of await operations()) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter)
      const described = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
      expect(described, name).toEqual(inPath)
    }
  })

  test('routes that need a token declare 401, and of the others only those for signing in', async () => {
    const signIns = ['post /auth/link', 'post /auth/session', 'post /auth/apple', 'post /auth/session/passkey']
    for (const [name, , { security, responses }] of await operations()) {
      const needsToken = security?.length !== 0
      expect('401' in responses, name).toBe(needsToken || signIns.includes(name))
    }
  })

  test('every error is problem+json, and its description names codes that exist', async () => {
    const codes = new Set(Object.keys(PROBLEMS).map((name) => problemCode(name as keyof typeof PROBLEMS)))
    for (const [name, , { responses }] of await operations()) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => status >= '400')) {
        expect(Object.keys(response.content ?? {}), `${name} ${status}`).toEqual(['application/problem+json'])
        const named = [...response.description.matchAll(/^`([a-z_.]+)`/gm)].map(([, code]) => code as string)
        expect(named.length, `${name} ${status}`).toBeGreaterThan(0)
        for (const code of named) expect(codes, `${name} ${status}`).toContain(code)
      }
    }
  })

  test('X-Resource-Action is declared exactly where it is sent', async () => {
    const declared = (await operations()).flatMap(([name, , { responses }]) =>
      Object.entries(responses)
        .filter(([, { headers = {} }]) => 'X-Resource-Action' in headers)
        .map(([status]) => `${name} ${status}`),
    )
    expect(declared.sort()).toEqual([
      'patch /activities/{slug} 200',
      'patch /activities/{slug} 201',
      'patch /activity/{slug} 200',
      'patch /activity/{slug} 201',
      'patch /orgs/{org_id}/activities/{slug} 200',
      'patch /orgs/{org_id}/activities/{slug} 201',
      'post /activities 201',
      'post /orgs/{org_id}/activities 201',
      'post /widgets 201',
    ])
  })

  test('every reference resolves', async () => {
    const document = await describeApi()
    const references = JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)
    for (const [, pointer] of references) {
      const target = (pointer as string)
        .split('/')
        .slice(1)
        .reduce<unknown>((node, step) => (node as never)?.[step], document)
      expect(target, pointer).toBeDefined()
    }
  })
})

describe('GET /openapi.yaml', () => {
  test('200 the same document as YAML', async () => {
    const answer = await app.get('/openapi.yaml')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/yaml/)
    expect(answer.text).toMatch(/^openapi: "3\.1\./)
    for (const path of Object.keys((await describeApi()).paths)) expect(answer.text).toContain(`  ${path}:`)
  })
})

describe('static documents', () => {
  const paths = ['/openapi.json', '/openapi.yaml', '/docs/reference.js', '/docs/', '/docs/site.js']
  const ask = (path: string, headers: Record<string, string>) => app.call('GET', path, { headers })

  test.each(paths)('%s is compressed as the client accepts, with the same content', async (path) => {
    const plain = await ask(path, { 'accept-encoding': 'identity' })
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['br, gzip', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const answer = await ask(path, { 'accept-encoding': accepted })
      expect([answer.headers.get('content-encoding'), answer.text === plain.text]).toEqual([encoding, true])
      expect(answer.headers.get('vary')).toContain('accept-encoding')
    }
  })

  test.each(paths)('304 %s for a client with the current version', async (path) => {
    const etag = (await app.get(path)).headers.get('etag') as string
    const again = await fetch(app.url + path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await ask(path, { 'if-none-match': 'W/"other"' })).status).toBe(200)
  })
})

describe('headers of every answer', () => {
  test('no-store and nosniff, on refusals too', async () => {
    const { token } = await app.addUser()
    const answers = [
      await app.get('/auth/me', token),
      await app.get('/auth/me'),
      await app.get('/nothing'),
      await app.get('/widgets/%zz', token),
      await app.post('/widgets', {}, token),
      await app.call('HEAD', '/events', { token }),
    ]
    for (const { status, headers } of answers) {
      expect([status, headers.get('x-content-type-options')]).toEqual([status, 'nosniff'])
      expect([status, headers.get('cache-control')]).toEqual([status, expect.stringMatching(/no-store|no-cache/)])
    }
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
  })

  test('nosniff for everything, and no referrer from /docs', async () => {
    for (const path of [
      '/docs/',
      '/docs/api',
      '/docs/reference.js',
      '/openapi.json',
      '/health',
      '/icons/star.svg',
      '/app/',
    ]) {
      const { headers } = await app.get(path)
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    }
    for (const path of ['/docs/', '/docs/api']) {
      expect((await app.get(path)).headers.get('referrer-policy')).toBe('no-referrer')
    }
  })
})

describe('GET /docs', () => {
  test('301 to the documentation, whose pages have a path with and without .html', async () => {
    const answer = await app.get('/docs')
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/docs/'])
    const folder = await app.get('/docs/decisions')
    expect([folder.status, folder.headers.get('location')]).toEqual([301, '/docs/decisions/'])
    for (const path of ['', 'index.html', 'errors', 'errors.html', 'decisions/', 'decisions/0025-openapi']) {
      const page = await app.get(`/docs/${path}`)
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
    }
  })

  test('200 pages without inline scripts and styles, under a policy that allows none', async () => {
    const page = await app.get('/docs/errors')
    const policy = page.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule)
    }
    expect(policy).not.toContain('unsafe')
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on[a-z]+=/)
  })

  test.each(['nothing', '../package.json', '..%2f..%2fpackage.json', 'errors.html.br'])(
    '404 /docs/%s',
    async (path) => {
      const answer = await app.get(`/docs/${path}`)
      expect([answer.status, answer.body.code]).toEqual([404, 'route.not_found'])
    },
  )
})

describe('GET /docs/api', () => {
  test('200 a page that loads the reference from this server only', async () => {
    const answer = await app.get('/docs/api')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    const policy = answer.headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule)
    }
    expect(answer.text).toContain('src="/docs/reference.js"')
    expect(answer.text).toContain('data-url="/openapi.json"')
    expect(answer.text).not.toMatch(/https?:\/\//)
  })

  test('200 /docs/reference.js is JavaScript', async () => {
    const answer = await app.get('/docs/reference.js')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(answer.text.length).toBeGreaterThan(100_000)
    expect(() => new Function(answer.text)).not.toThrow()
  })
})

describe('GET /', () => {
  test('302 to the console, 200 there, with a policy that blocks other origins', async () => {
    const answer = await app.get('/')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/app/'])
    const page = await app.get('/app/')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

// GET /system/checks: what operators see of the state of their server.

import { once } from 'node:events'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { CheckupView } from '../../../src/contract/doctor.ts'
import { setOperator } from '../../../src/operations/accounts/accounts.ts'
import type { Environment } from '../../../src/runtime/config.ts'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { type FakeSmtp, startFakeSmtp } from '../../support/fakes/fake-smtp.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'

const NO_DEVICE = '0'.repeat(64)

let services: PushServices
let smtp: FakeSmtp
let proxy: Server
let app: TestApp
let operator: TestUser

async function addOperator(server: TestApp): Promise<TestUser> {
  const user = await server.addUser()
  await setOperator(server.app.ctx, user.name, true)
  return user
}

// A proxy in front of the server that `target` returns.
async function startProxy(target: () => string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': '203.0.113.7' }
    const onwards = forward(target() + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onwards)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const settings = (): Environment => ({
  HELIOGRAPH_SMTP_URL: `smtp://name:secret@127.0.0.1:${smtp.port}`,
  HELIOGRAPH_MAIL_FROM: 'heliograph@example.org',
  HELIOGRAPH_PUBLIC_URL: urlOf(proxy),
  HELIOGRAPH_TRUST_PROXY: '127.0.0.1',
  // Their check starts a process, for which one test suffices.
  HELIOGRAPH_PICTURES: 'off',
})

beforeAll(async () => {
  services = await startPushServices()
  smtp = await startFakeSmtp()
  proxy = await startProxy(() => app.url)
  app = await services.startNode(settings())
  operator = await addOperator(app)
})

afterAll(async () => {
  await app.stop()
  proxy.close()
  await Promise.all([smtp.close(), services.close()])
})

async function check(server: TestApp, who: TestUser): Promise<CheckupView> {
  server.advanceSeconds(31)
  const { status, body } = await server.get('/system/checks', who.token)
  expect(status).toBe(200)
  return body
}

async function find(name: string, server = app, who = operator) {
  return (await check(server, who)).items.find((item) => item.check === name)
}

describe('GET /system/checks', () => {
  test('200 a line for each thing that the server needs', async () => {
    services.apns.script(NO_DEVICE, ...Array.from({ length: 2 }, () => ({ status: 400, reason: 'BadDeviceToken' })))
    const { items } = await check(app, operator)
    const found = Object.fromEntries(items.map((item) => [item.check, item]))
    for (const name of ['database', 'schema', 'clock', 'background work', 'secrets', 'APNs', 'e-mail', 'public URL']) {
      expect(found[name], name).toMatchObject({ status: 'ok', found: expect.stringMatching(/\w/) })
    }
    expect(found['public URL']?.found).toBe(
      `${urlOf(proxy)} is this server; a request from here arrives as 203.0.113.7 through 127.0.0.1`,
    )
    expect(smtp.logins).toContainEqual({ user: 'name', password: 'secret' })
    expect(smtp.mails).toEqual([])
  })

  test.skipIf(sqliteSuffices())(
    '200 the process that draws pictures, and the letters for which it has no font',
    async () => {
      const drawing = await startTestApp()
      onTestFinished(() => drawing.stop())
      expect(await find('pictures', drawing, await addOperator(drawing))).toMatchObject({
        status: 'ok',
        found: expect.stringMatching(/draws a card; .* letters are boxes: Chinese, Japanese, Korean/),
      })
    },
  )

  test('200 a result is kept for 30 seconds, so that nobody can hammer the providers', async () => {
    const { checked_at } = await check(app, operator)
    const logins = smtp.logins.length
    app.advanceSeconds(29)
    expect((await app.get('/system/checks', operator.token)).body.checked_at).toBe(checked_at)
    expect(smtp.logins).toHaveLength(logins)
    app.advanceSeconds(1)
    expect((await app.get('/system/checks', operator.token)).body.checked_at).not.toBe(checked_at)
  })

  test('200 refusals of the providers are failures, with what to do', async () => {
    services.apns.script(NO_DEVICE, { status: 403, reason: 'InvalidProviderToken' })
    smtp.answerLogin = () => ({ code: 535, text: 'wrong password' })
    const { items } = await check(app, operator)
    expect(items.find((item) => item.check === 'APNs')).toEqual({
      check: 'APNs',
      status: 'failure',
      found: 'APNs answers: InvalidProviderToken',
      fix: expect.stringContaining('HELIOGRAPH_APNS_KEY_ID'),
    })
    expect(items.find((item) => item.check === 'e-mail')).toMatchObject({
      status: 'failure',
      found: expect.stringContaining('wrong password'),
      fix: expect.stringContaining('HELIOGRAPH_SMTP_URL'),
    })
    expect(JSON.stringify(items)).not.toContain('secret@')
    smtp.reset()
  })

  test.skipIf(sqliteSuffices())('200 a proxy that is not trusted is a failure', async () => {
    let target = ''
    const other = await startProxy(() => target)
    onTestFinished(() => void other.close())
    const node = await startTestApp({ HELIOGRAPH_PUBLIC_URL: urlOf(other) })
    onTestFinished(() => node.stop())
    target = node.url
    expect(await find('public URL', node, await addOperator(node))).toMatchObject({
      status: 'failure',
      found: expect.stringContaining('a proxy at 127.0.0.1'),
      fix: 'set HELIOGRAPH_TRUST_PROXY=127.0.0.1',
    })
    // Leads to another server, which has another signing key.
    target = app.url
    expect(await find('public URL', node, await addOperator(node))).toMatchObject({
      status: 'failure',
      found: expect.stringContaining('not as this server'),
    })
  })

  test('403 user.operator_required for anyone else', async () => {
    const person = await app.addUser()
    expectProblem(await app.get('/system/checks', person.token), 403, 'user.operator_required')
    await setOperator(app.app.ctx, person.name, true)
    expect((await app.get('/system/checks', person.token)).status).toBe(200)
    expectProblem(await app.get('/system/checks', person.defaultKey), 403, 'integration_key.permission_denied')
  })
})

test('GET /health tells how a request arrived only to those who hold the signing key', async () => {
  const answer = await app.call('GET', '/health', { headers: { 'heliograph-probe': 'A'.repeat(32) } })
  expect([answer.status, answer.headers.has('heliograph-arrival')]).toEqual([200, false])
})

describe('GET /system/addresses', () => {
  test('200 for operators: where other devices reach the server, and whether it listens there', async () => {
    const here = await startTestApp()
    const everywhere = await startTestApp({ HELIOGRAPH_HOST: '0.0.0.0' })
    for (const [server, listens] of [
      [here, false],
      [everywhere, true],
    ] as const) {
      const { status, body } = await server.get('/system/addresses', (await addOperator(server)).token)
      expect([status, body.listens_elsewhere, body.started_as]).toEqual([200, listens, 'checkout'])
      const { port } = new URL(server.url)
      for (const address of body.addresses) expect(address).toMatch(new RegExp(`^http://[\\d.]+:${port}$`))
      expect(body.addresses.join()).not.toContain('127.')
    }
    const user = await here.addUser()
    expectProblem(await here.get('/system/addresses', user.token), 403, 'user.operator_required')
    await here.stop()
    await everywhere.stop()
  })
})

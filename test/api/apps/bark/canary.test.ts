// Nothing that belongs to a phone with another app, or to a sender at a door, is readable in the files of the database, a backup, the
// log, metrics, traces or what leaves the server: addresses, keys, the names of endpoints, and, with encryption, what is sent.
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeBackup } from '../../../../src/boot/backups.ts'
import { type Environment, loadConfig } from '../../../../src/runtime/config.ts'
import { createLog } from '../../../../src/runtime/log.ts'
import { listTables } from '../../../../src/store/engine/catalog.ts'
import { fragment, sql } from '../../../../src/store/engine/sql.ts'
import type { TestApp, TestUser } from '../../../support/app.ts'
import { textsInFiles } from '../../../support/database/stored-text.ts'
import { addApp, pollNtfy } from '../../../support/devices/app-streams.ts'
import { addBarkPhone, barkSettings } from '../../../support/devices/bark-phone.ts'
import { addBrowser } from '../../../support/devices/phone.ts'
import { startFakeBarkServer } from '../../../support/fakes/fake-bark-server.ts'
import { recordSpans } from '../../../support/fakes/open-telemetry.ts'
import { startPushServices } from '../../../support/fakes/push-services.ts'
import { selfSigned } from '../../../support/fakes/self-signed.ts'
import { addHook } from '../../../support/hooks/hook.ts'
import { scrape } from '../../../support/metrics.ts'

const WORD = 'Kanarienvogel'
// Encrypted by its sender, who also could have sent it like this: the server must not even decode it.
const SEALED = 'Zeisig'
const sealed = Buffer.from(SEALED.repeat(20)).toString('base64')
// Too long for a row of PostgreSQL.
const sealedLarge = Buffer.from(SEALED.repeat(700)).toString('base64')
// For another app on a phone, encrypted by its server.
const POSTED = 'Stieglitz'

// A server of somebody else, which keeps what it is asked.
const elsewhere = { url: '', ca: '', received: [] as string[] }
beforeAll(async () => {
  const { key, cert } = selfSigned()
  const server = createServer({ key, cert }, async (request, response) => {
    elsewhere.received.push(`${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`)
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  Object.assign(elsewhere, { ca: cert, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  return () => {
    server.closeAllConnections()
    server.close()
  }
})

describe('a canary search', () => {
  test('finds no secret of a phone or of a door, and no encrypted text outside of the inbox', async () => {
    const services = await startPushServices(elsewhere.ca)
    const server = await startFakeBarkServer(['serverKeyCanary22'])
    const lines: string[] = []
    const log = createLog('trace', 'json', { write: (line: string) => void lines.push(line), isTTY: false } as never)
    const spans = recordSpans()
    const settings = {
      ...barkSettings(services),
      HELIOGRAPH_LOG_LEVEL: 'trace',
      HELIOGRAPH_METRICS_PORT: '0',
      HELIOGRAPH_UNIFIEDPUSH: 'on',
      HELIOGRAPH_NTFY_UPSTREAM: elsewhere.url,
    }
    const node = await services.startNode(settings, undefined, { log, tracing: spans.tracing })
    const app = Object.assign(node, services)
    try {
      const user = await app.addUser()
      const phone = await addBarkPhone(app as never, user, { encrypt: true })
      const address = `${server.url.replace('//', '//me:passwordCanary@')}/serverKeyCanary22/`
      await app.post('/devices/apps', { kind: 'bark', name: 'Second', address, encrypt: true }, user.token)
      await addBrowser(services, { app, user })
      const alarm = { title: WORD, body: WORD, source: WORD, acknowledge: {}, callback_url: elsewhere.url }
      const alert = await app.post('/notifications', alarm, user.defaultKey)
      expect(alert.status, alert.text).toBe(201)
      await app.get(`/bark/${user.defaultKey}/${WORD}`)
      await phone.register({ devicetoken: 'ab'.repeat(32) })
      const endpoint = 'upCanary123456'
      const ntfyApp = await addApp(app, user)
      await pollNtfy(app, ntfyApp, `inbox,${endpoint}/json?poll=1`)
      await fetch(`${app.url}/ntfy/${endpoint}`, { method: 'POST', body: POSTED })
      await fetch(`${app.url}/ntfy/upCanary999999`, { method: 'POST', body: POSTED })
      const notification = { text: POSTED, devices: [{ pushkey: `${app.url}/ntfy/${endpoint}` }] }
      expect((await app.post('/_matrix/push/v1/notify', { notification })).body).toEqual({ rejected: [] })
      const file = (await app.post('/files', { any: 'content' }, user.token)).body.id
      await fetch(`${app.url}/files/${file}`)
      const doors = await sendThroughDoors(app, user)
      await app.post(`/notifications/${alert.body.id}/answer`, { action_id: 'pw_ack' }, user.token)
      await app.runDueJobs()
      const code = phone.path.split('/p-')[1] ?? ''
      const secrets = [
        ...['serverKeyCanary22', 'passwordCanary', phone.key, phone.token, phone.encryptionKey ?? '', code],
        ...[user.token, user.defaultKey, ntfyApp.password, ...doors.secrets, SEALED, endpoint],
      ]
      const rows = await everyRow(app.app.ctx.db.read)
      const backup = await backedUp(app.database.environment)
      expect(backup).toContain(user.userId)
      for (const secret of secrets)
        expect([secret, rows.includes(secret), backup.includes(secret)]).toEqual([secret, false, false])
      // The id of the account shows that the files are those of the database.
      expect(await textsInFiles(app, [user.userId, ...secrets])).toEqual([user.userId])

      const told = [...lines, (await scrape(app.app)).text, JSON.stringify(spans.ended)].join('')
      expect(spans.ended.length).toBeGreaterThan(20)
      const untold = [...secrets, WORD, POSTED, sealed, sealedLarge, 'upCanary999999', file, ...doors.addresses]
      for (const secret of untold) expect([secret, told.includes(secret)]).toEqual([secret, false])

      const sentOut = [
        ...services.apns.requests.map(({ payload, headers }) => payload + JSON.stringify(headers)),
        ...services.webPush.received.map(({ body, headers }) => body.toString('latin1') + JSON.stringify(headers)),
        ...server.pushed.map(({ body }) => JSON.stringify(body)),
        ...elsewhere.received,
      ]
      expect(sentOut.length).toBeGreaterThanOrEqual(3 * doors.sent)
      // Asked to wake an iPhone, and told of the end of an alert.
      expect(elsewhere.received.map((one) => one.includes('webhook-id'))).toEqual(expect.arrayContaining([true, false]))
      for (const one of sentOut) {
        for (const word of [WORD, SEALED, POSTED, ...doors.secrets])
          expect([word, one.includes(word)]).toEqual([word, false])
      }
    } finally {
      spans.stop()
      await app.stop()
      await Promise.all([services.close(), server.close()])
    }
  })
})

// One message through each door for other services' senders, those that seal their messages included. Secrets are stored
// nowhere; addresses are shown again to their owner, so they only stay out of what operators and other services read.
async function sendThroughDoors(app: TestApp, user: TestUser) {
  const permissions = { notifications: 'send' }
  const { id } = (await app.post('/integrations/keys', { name: 'Doors', permissions }, user.token)).body
  const aliasFor = async (door: string): Promise<string> =>
    (await app.post(`/integrations/keys/${id}/aliases`, { door }, user.token)).body.token
  const [ntfy, gotify, pushover, bark] = [
    await aliasFor('ntfy'),
    await aliasFor('gotify'),
    await aliasFor('pushover'),
    await aliasFor('bark'),
  ]
  const hook = await addHook(app, { name: 'Hook', kind: 'auto' }, user)
  const post = (path: string, body: string | URLSearchParams, headers = {}) =>
    fetch(`${app.url}${path}`, { method: 'POST', body, headers })
  const asJson = { 'content-type': 'application/json' }
  const message = JSON.stringify({ title: WORD, message: WORD, body: WORD })
  const toPushover = { token: pushover, user: 'u'.repeat(30) }
  const answers = [
    await post(`/ntfy/${WORD}`, WORD, { authorization: `Bearer ${ntfy}`, title: WORD }),
    await post(`/ntfy/${WORD}?auth=${Buffer.from(`Bearer ${ntfy}`).toString('base64url')}`, WORD),
    await post(`/gotify/message?token=${gotify}`, message, asJson),
    await post('/pushover/1/messages.json', new URLSearchParams({ ...toPushover, title: WORD, message: WORD })),
    await post(
      '/pushover/1/messages.json',
      new URLSearchParams({ ...toPushover, encrypted: '1', title: sealed, message: sealed, url: sealed }),
    ),
    await post('/bark/push', JSON.stringify({ device_key: bark, title: WORD, body: WORD, group: WORD }), asJson),
    await post(`/bark/${bark}/${WORD}/${WORD}`, ''),
    await post(`/bark/${bark}`, new URLSearchParams({ ciphertext: sealedLarge, iv: '1234567890123456' })),
    await post(new URL(hook.url).pathname, message, asJson),
  ]
  for (const { status, url } of answers) expect([status, url]).toEqual([expect.toBeOneOf([200, 201, 202]), url])
  const own = await app.post('/notifications', { encrypted: `pw1.0a1b2c3d.${sealed}` }, user.token)
  expect([own.status, own.body]).toEqual([201, own.body])
  const secrets = [ntfy, gotify, pushover, bark]
  return { sent: answers.length + 1, secrets, addresses: [hook.url.split('/').at(-1) ?? ''] }
}

async function backedUp(environment: Environment): Promise<string> {
  const sink = new PassThrough()
  const reading = buffer(sink)
  await writeBackup(loadConfig({}, environment, 'no-such-file.json'), sink)
  sink.end()
  return gunzipSync(await reading).toString()
}

async function everyRow(read: Parameters<typeof listTables>[0]): Promise<string> {
  let text = ''
  for (const { name } of await listTables(read)) {
    text += JSON.stringify(await read.all(sql`select * from ${fragment(name)}`))
  }
  return text
}

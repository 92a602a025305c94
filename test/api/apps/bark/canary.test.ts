// Nothing that belongs to a phone with another app is readable in the database, a backup, the log, the metrics or what leaves the
// server: its address, its keys, the names of its endpoints, and, with encryption, what it is sent.
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeBackup } from '../../../../src/boot/backups.ts'
import { type Environment, loadConfig } from '../../../../src/runtime/config.ts'
import { createLog } from '../../../../src/runtime/log.ts'
import { listTables } from '../../../../src/store/engine/catalog.ts'
import { fragment, sql } from '../../../../src/store/engine/sql.ts'
import { addApp, pollNtfy } from '../../../support/devices/app-streams.ts'
import { addBarkPhone, barkSettings, notify } from '../../../support/devices/bark-phone.ts'
import { startFakeBarkServer } from '../../../support/fakes/fake-bark-server.ts'
import { startPushServices } from '../../../support/fakes/push-services.ts'
import { scrape } from '../../../support/metrics.ts'

const WORD = 'Kanarienvogel'

describe('a canary search', () => {
  test('finds no secret of a phone, and no encrypted text outside of the inbox', async () => {
    const services = await startPushServices()
    const server = await startFakeBarkServer(['serverKeyCanary22'])
    const lines: string[] = []
    const log = createLog('trace', 'json', { write: (line: string) => void lines.push(line), isTTY: false } as never)
    const settings = {
      ...barkSettings(services),
      HELIOGRAPH_LOG_LEVEL: 'trace',
      HELIOGRAPH_METRICS_PORT: '0',
      HELIOGRAPH_UNIFIEDPUSH: 'on',
    }
    const node = await services.startNode(settings, undefined, { log })
    const app = Object.assign(node, services)
    try {
      const user = await app.addUser()
      const phone = await addBarkPhone(app as never, user, { encrypt: true })
      const address = `${server.url.replace('//', '//me:passwordCanary@')}/serverKeyCanary22/`
      await app.post('/devices/apps', { kind: 'bark', name: 'Second', address, encrypt: true }, user.token)
      await notify(app, user, { title: WORD, body: WORD, source: WORD, source_display_name: WORD })
      await app.get(`/bark/${user.defaultKey}/${WORD}`)
      await phone.register({ devicetoken: 'ab'.repeat(32) })
      const endpoint = 'upCanary123456'
      await pollNtfy(app, await addApp(app, user), `${endpoint}/json?poll=1`)
      await fetch(`${app.url}/ntfy/${endpoint}`, { method: 'POST', body: 'sealed by its sender' })
      await fetch(`${app.url}/ntfy/upCanary999999`, { method: 'POST', body: 'sealed by its sender' })
      const file = (await app.post('/files', { any: 'content' }, user.token)).body.id
      await fetch(`${app.url}/files/${file}`)
      await app.runDueJobs()
      const code = phone.path.split('/p-')[1] ?? ''
      const secrets = ['serverKeyCanary22', 'passwordCanary', phone.key, phone.token, phone.encryptionKey ?? '', code]
      const rows = await everyRow(app.app.ctx.db.read)
      for (const secret of [...secrets, endpoint]) expect(rows).not.toContain(secret)
      const backup = await backedUp(app.database.environment)
      expect(backup).toContain(user.userId)
      for (const secret of [...secrets, endpoint]) expect(backup).not.toContain(secret)
      const told = lines.join('') + (await scrape(app.app)).text
      for (const secret of [...secrets, WORD, endpoint, 'upCanary999999', file]) expect(told).not.toContain(secret)
      const sentOut = [
        ...services.apns.requests.map(({ payload }) => payload),
        ...server.pushed.map(({ body }) => JSON.stringify(body)),
      ]
      expect(sentOut.length).toBeGreaterThanOrEqual(4)
      for (const one of sentOut) expect(one).not.toContain(WORD)
    } finally {
      await app.stop()
      await Promise.all([services.close(), server.close()])
    }
  })
})

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

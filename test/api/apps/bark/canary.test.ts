// Nothing that belongs to a Bark phone is readable in the database, the log or what leaves the server: its address, its keys, and,
// with encryption, what it is sent.
import { describe, expect, test } from 'vitest'
import { createLog } from '../../../../src/runtime/log.ts'
import { listTables } from '../../../../src/store/engine/catalog.ts'
import { fragment, sql } from '../../../../src/store/engine/sql.ts'
import { addBarkPhone, barkSettings, notify } from '../../../support/devices/bark-phone.ts'
import { startFakeBarkServer } from '../../../support/fakes/fake-bark-server.ts'
import { startPushServices } from '../../../support/fakes/push-services.ts'

const WORD = 'Kanarienvogel'

describe('a canary search', () => {
  test('finds no secret of a phone, and no encrypted text outside of the inbox', async () => {
    const services = await startPushServices()
    const server = await startFakeBarkServer(['serverKeyCanary22'])
    const lines: string[] = []
    const log = createLog('trace', 'json', { write: (line: string) => void lines.push(line), isTTY: false } as never)
    const node = await services.startNode({ ...barkSettings(services), HELIOGRAPH_LOG_LEVEL: 'trace' }, undefined, {
      log,
    })
    const app = Object.assign(node, services)
    try {
      const user = await app.addUser()
      const phone = await addBarkPhone(app as never, user, { encrypt: true })
      const address = `${server.url.replace('//', '//me:passwordCanary@')}/serverKeyCanary22/`
      await app.post('/devices/apps', { kind: 'bark', name: 'Second', address, encrypt: true }, user.token)
      await notify(app, user, { title: WORD, body: WORD, source: WORD, source_display_name: WORD })
      await app.get(`/bark/${user.defaultKey}/${WORD}`)
      await phone.register({ devicetoken: 'ab'.repeat(32) })
      await app.runDueJobs()
      const code = phone.path.split('/p-')[1] ?? ''
      const secrets = ['serverKeyCanary22', 'passwordCanary', phone.key, phone.token, phone.encryptionKey ?? '', code]
      const rows = await everyRow(app.app.ctx.db.read)
      for (const secret of secrets) {
        expect(rows).not.toContain(secret)
        expect(lines.join('')).not.toContain(secret)
      }
      expect(lines.join('')).not.toContain(WORD)
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

async function everyRow(read: Parameters<typeof listTables>[0]): Promise<string> {
  let text = ''
  for (const { name } of await listTables(read)) {
    text += JSON.stringify(await read.all(sql`select * from ${fragment(name)}`))
  }
  return text
}

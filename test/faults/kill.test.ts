// R01: no accepted write is lost when the process is killed, on either database.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { integrityOf } from '../support/database/sqlite-integrity.ts'
import { eventually } from '../support/eventually.ts'
import { startHeliograph } from '../support/heliograph-process.ts'
import { counted, measured } from '../support/reliability/measured.ts'
import { countAccepted, createWriters, expectAllAccepted, type Writer, writeUntilKilled } from '../support/writers.ts'

const WRITERS = 16
const killAfterMs = () => 150 + Math.random() * 250

describe.each(['sqlite', 'postgres'] as const)('R01 on %s', (kind) => {
  test(`${inject('rounds')} kills at random times lose no accepted write, and leave no partial one`, async () => {
    const database = await createTestDatabase(kind)
    onTestFinished(() => database.drop())
    const environment: Environment = {
      ...database.environment,
      HELIOGRAPH_PORT: '0',
      HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    }
    const file = join(environment.HELIOGRAPH_DATA_DIR as string, 'heliograph.db')
    const everyone: Writer[] = []
    let server = await startHeliograph(['serve'], { environment })
    let api = createClient(server.url)
    for (let round = 0; round < inject('rounds'); round++) {
      const writers = await createWriters(environment, WRITERS)
      everyone.push(...writers)
      const writing = writers.map((writer) => writeUntilKilled(writer, api))
      await eventually(() => expect(writers.every((writer) => countAccepted(writer) > 0)).toBe(true))
      await delay(killAfterMs())
      await server.end('SIGKILL')
      await Promise.all(writing)

      server = await startHeliograph(['serve'], { environment })
      api = createClient(server.url)
      expect((await api.get('/health')).status).toBe(200)
      for (const writer of writers) await expectAllAccepted(writer, api)
      if (kind === 'sqlite') expect(integrityOf(file)).toBe('ok')
    }
    // A later round has not undone anything of an earlier one.
    for (const writer of everyone) await expectAllAccepted(writer, api)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const accepted = everyone.reduce((sum, writer) => sum + countAccepted(writer), 0)
    measured(
      'R01',
      kind,
      `${counted(accepted)} accepted writes, ${inject('rounds')} kills: none lost, none half written`,
    )
  })
})

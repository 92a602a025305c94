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
import { amountOf, measured } from '../support/reliability/measured.ts'
import type { Writer } from '../support/writers/log.ts'
import {
  countAccepted,
  createWriters,
  expectAllAccepted,
  prepareWriters,
  SUBJECT_COUNT,
  writeUntilKilled,
} from '../support/writers.ts'

const WRITERS = 8
// One round is short, so the long form has many.
const KILLS = inject('rounds') > 2 ? 4 * inject('rounds') : inject('rounds')
const killAfterMs = () => 150 + Math.random() * 850

describe.each(['sqlite', 'postgres'] as const)('R01 on %s', (kind) => {
  test(`${KILLS} kills at random times lose no accepted write, and leave no partial one`, async () => {
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
    for (let round = 0; round < KILLS; round++) {
      const writers = await createWriters(environment, WRITERS)
      await prepareWriters(writers, api)
      everyone.push(...writers)
      const writing = Promise.all(writers.map((writer) => writeUntilKilled(writer, api)))
      const hasWrittenAll = () => expect(Math.min(...writers.map(countAccepted))).toBeGreaterThan(SUBJECT_COUNT)
      // A writer ends before the kill only if it fails.
      await Promise.race([eventually(hasWrittenAll), writing])
      await delay(killAfterMs())
      await server.end('SIGKILL')
      await writing

      server = await startHeliograph(['serve'], { environment })
      api = createClient(server.url)
      expect((await api.get('/health')).status).toBe(200)
      await Promise.all(writers.map((writer) => expectAllAccepted(writer, api)))
      if (kind === 'sqlite') expect(integrityOf(file)).toBe('ok')
    }
    // A later round has not undone anything of an earlier one.
    for (const writer of everyone) await expectAllAccepted(writer, api)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const accepted = everyone.reduce((sum, writer) => sum + countAccepted(writer), 0)
    const writes = amountOf(accepted, 'accepted write')
    measured('R01', kind, `${writes}, ${amountOf(KILLS, 'kill')}: none lost, none half written`)
  })
})

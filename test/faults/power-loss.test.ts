// R02: accepted writes survive a power loss. A kill cannot show that, because the operating system keeps its buffers:
// the tests count fsyncs, and truncate and damage the log as a power loss may.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { sql } from '../../src/store/engine/sql.ts'
import { loadSqlite } from '../../src/store/engine/sqlite/connection.ts'
import { openSqlite } from '../../src/store/engine/sqlite/sqlite.ts'
import { createClient } from '../support/client.ts'
import { integrityOf } from '../support/database/sqlite-integrity.ts'
import { commitEnds } from '../support/database/sqlite-wal.ts'
import { emptyFolder, MAIN, startHeliograph } from '../support/heliograph-process.ts'
import { counted, measured } from '../support/reliability/measured.ts'
import { attachStrace, traceToEnd } from '../support/strace.ts'

const COMMITS = 100
const DAMAGES = 50 * inject('rounds')

describe('R02 power loss on sqlite', () => {
  test.skipIf(!inject('canTrace'))(
    'every accepted write is synced to disk, also on the second start of a file',
    async () => {
      const environment = { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0' }
      const first = await startHeliograph(['serve'], { environment })
      const key = /hlk_\S+/.exec(first.output())?.[0] ?? ''
      await first.end('SIGTERM')

      const second = await startHeliograph(['serve'], { environment })
      const api = createClient(second.url)
      const trace = await attachStrace(second.pid, '-e', 'trace=fsync,fdatasync')
      for (let value = 1; value <= COMMITS; value++) {
        const content = { template: 'gauge', value, min_value: 0, max_value: COMMITS }
        expect((await api.post('/widgets', { slug: 'load', name: 'Load', content }, key)).status).toBe(201)
      }
      const syncs = (await trace.end()).filter((line) => /\bf(data)?sync\(/.test(line))
      expect(syncs.length).toBeGreaterThanOrEqual(COMMITS)
      measured('R02', 'sqlite', `${syncs.length} syncs for ${COMMITS} writes on the second start`)
    },
  )

  test.skipIf(!inject('canTrace'))('a new secret is synced before its file is renamed', async () => {
    const folder = emptyFolder()
    const calls = await traceToEnd([MAIN, 'user', 'add', 'ada', '--data-dir', folder], 'fsync,link,linkat,rename')
    for (const name of ['signing.key', 'vapid-keys.json']) {
      const named = calls.findIndex((line) => /^(link|rename)/.test(line) && line.includes(`"${folder}/${name}"`))
      expect(calls[named - 1], name).toMatch(new RegExp(`^fsync.*<${folder}/${name}\\.\\w+\\.new>\\) += 0`))
      expect(calls[named + 1], name).toMatch(new RegExp(`^fsync.*<${folder}>\\) += 0`))
    }
  })

  test.skipIf(!inject('canTrace'))('an upload is synced, and then the folder that names it', async () => {
    const folder = emptyFolder()
    const environment = { HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_PORT: '0' }
    const server = await startHeliograph(['serve'], { environment })
    const key = /hlk_\S+/.exec(server.output())?.[0] ?? ''
    const trace = await attachStrace(server.pid, '-y', '-e', 'trace=fsync')
    const headers = { authorization: `Bearer ${key}`, filename: 'dump.bin' }
    const answer = await fetch(`${server.url}/ntfy/backups`, { method: 'PUT', headers, body: 'content' })
    expect(answer.status, await answer.text()).toBe(200)
    const synced = (await trace.end()).flatMap((line) => /\bfsync\(\d+<([^>]+)>/.exec(line)?.[1] ?? [])
    // The database syncs its own files at the same time.
    const files = join(folder, 'files')
    const ofUpload = synced.filter((path) => path.startsWith(files) || path === folder)
    const file = ofUpload.findIndex((path) => path.startsWith(`${files}/`))
    expect([file >= 0, ofUpload.slice(file + 1, file + 3)]).toEqual([true, [files, folder]])
  })

  test(`after ${DAMAGES} random truncations of the log, all commits before them are intact`, async () => {
    const original = await writeLog()
    for (let i = 0; i < DAMAGES; i++) {
      const cut = Math.floor(Math.random() * (original.wal.length + 1))
      const found = readBack(original, original.wal.subarray(0, cut))
      expect(found, `cut at ${cut}`).toEqual({ integrity: 'ok', notes: original.notesBefore(cut) })
    }
    measured('R02', 'sqlite', `${counted(DAMAGES)} truncated logs: every commit before the cut is there`)
  })

  test(`after ${DAMAGES} random bit flips, all commits before them are intact`, async () => {
    const original = await writeLog()
    for (let i = 0; i < DAMAGES; i++) {
      const damaged = Buffer.from(original.wal)
      const place = WAL_HEADER_BYTES + Math.floor(Math.random() * (damaged.length - WAL_HEADER_BYTES))
      damaged[place] = (damaged[place] as number) ^ (1 << Math.floor(Math.random() * 8))
      const found = readBack(original, damaged)
      expect(found, `bit at ${place}`).toEqual({ integrity: 'ok', notes: original.notesBefore(place) })
    }
    measured('R02', 'sqlite', `${counted(DAMAGES)} flipped bits: every commit before them is there`)
  })
})

const WAL_HEADER_BYTES = 32

type Log = { folder: string; wal: Buffer; notesBefore(byte: number): number[] }

// Note n is commit n; the schema is in the main file, so the log has only notes.
async function writeLog(): Promise<Log> {
  const folder = emptyFolder()
  const file = join(folder, 'heliograph.db')
  const prepared = openSqlite(file, { monotonicMs: () => performance.now() })
  await prepared.transact((tx) => tx.execute(sql`create table notes (id bigint primary key, text text not null)`))
  await prepared.close()

  const db = openSqlite(file, { monotonicMs: () => performance.now() })
  onTestFinished(() => db.close())
  for (let id = 1; id <= COMMITS; id++) {
    await db.transact(async (tx) => {
      const text = 'x'.repeat(Math.floor(Math.random() * 6000))
      await tx.execute(sql`insert into notes (id, text) values (${id}, ${text})`)
    })
  }
  const wal = readFileSync(`${file}-wal`)
  const ends = commitEnds(wal)
  expect(ends).toHaveLength(COMMITS)
  copyFileSync(file, join(folder, 'copy.db'))
  return { folder, wal, notesBefore: (byte) => ends.filter((end) => end <= byte).map((_, index) => index + 1) }
}

// Opens a copy of the main file with a damaged log.
function readBack({ folder }: Log, wal: Buffer): { integrity: string; notes: number[] } {
  const place = mkdtempSync(join(folder, 'damaged-'))
  const file = join(place, 'heliograph.db')
  copyFileSync(join(folder, 'copy.db'), file)
  writeFileSync(`${file}-wal`, wal)
  const { DatabaseSync } = loadSqlite()
  const connection = new DatabaseSync(file)
  const rows = connection.prepare('select id from notes order by id').all() as { id: number }[]
  connection.close()
  const integrity = integrityOf(file)
  rmSync(place, { recursive: true })
  return { integrity, notes: rows.map(({ id }) => id) }
}

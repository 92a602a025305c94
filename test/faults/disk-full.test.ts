// R11: a full or failing disk causes errors, not damage: writes are refused, reads are served, and service resumes
// without a restart.
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { integrityOf } from '../support/database/sqlite-integrity.ts'
import { eventually } from '../support/eventually.ts'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { measured } from '../support/reliability/measured.ts'
import { attachStrace } from '../support/strace.ts'

const SYNCS = 'fsync,fdatasync'
const UNAVAILABLE = { status: 503, body: { code: 'service.unavailable', status: 503 } }

async function startOn(folder: string) {
  const environment = {
    HELIOGRAPH_DATA_DIR: folder,
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
  }
  const server = await startHeliograph(['serve'], { environment })
  return { server, api: createClient(server.url), key: /hlk_\S+/.exec(server.output())?.[0] ?? '', environment }
}

const putWidget = (api: TestClient, key: string, value: number) => {
  const content = { template: 'gauge', value, min_value: 0, max_value: 10_000 }
  return api.post('/widgets', { slug: 'load', name: 'Load', content }, key)
}

async function expectNotReady(api: TestClient, reason: RegExp): Promise<void> {
  const answer = await api.get('/ready')
  expect(answer).toMatchObject(UNAVAILABLE)
  expect(answer.body.detail).toMatch(reason)
}

const storedValue = async (api: TestClient, key: string) => (await api.get('/widgets/load', key)).body.content.value

describe.skipIf(!inject('canMount'))('R11 a full disk', () => {
  test('refuses writes, serves reads, and recovers without a restart', async () => {
    const folder = mountTmpfs('8m')
    const { server, api, key, environment } = await startOn(folder)
    expect((await putWidget(api, key, 1)).status).toBe(201)
    const filler = join(folder, 'filler')
    fill(filler)

    let stored = 1
    const refusal = await eventuallyRefused(async () => {
      const answer = await putWidget(api, key, stored + 1)
      if (answer.status === 201) stored += 1
      return answer
    })
    expect(refusal).toMatchObject(UNAVAILABLE)
    expect(refusal.headers.get('retry-after')).toBe('5')
    expect(await storedValue(api, key)).toBe(stored)
    expect((await api.get('/health')).status).toBe(200)
    await eventually(() => expectNotReady(api, /the disk is full/))

    rmSync(filler)
    await eventually(async () => expect((await api.get('/ready')).status).toBe(200))
    expect((await putWidget(api, key, 7777)).status).toBe(201)
    expect(await storedValue(api, key)).toBe(7777)
    fill(filler)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })

    // The checkpoint of the log at the stop has freed space.
    fill(filler)
    const refused = await runHeliograph(['serve'], { environment })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^heliograph: .*disk is full\)\n$/) })
    rmSync(filler)
    const next = createClient((await startHeliograph(['serve'], { environment })).url)
    expect((await next.get('/ready')).status).toBe(200)
    expect(await storedValue(next, key)).toBe(7777)
    expect(integrityOf(join(folder, 'heliograph.db'))).toBe('ok')
    measured('R11', 'sqlite', 'a full disk: 503, reads go on, writes work again without a restart, no damage')
  })
})

describe.skipIf(!inject('canMount'))('F11 a database file that cannot be written', () => {
  test('refuses the start in one line', async () => {
    const folder = emptyFolder()
    const { server, environment } = await startOn(folder)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    const file = join(folder, 'heliograph.db')
    system('mount', '--bind', file, file)
    onTestFinished(() => system('umount', '-l', file))
    system('mount', '-o', 'remount,ro,bind', file)
    const refused = await runHeliograph(['serve'], { environment })
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'heliograph: the database is read-only; check the owner, the mode and the disk of its files\n',
    })
  })
})

describe.skipIf(!inject('canTrace'))('R11 a disk that fails to write', () => {
  test('is never answered with 2xx, and writes succeed when it works again', async () => {
    const folder = emptyFolder()
    const { server, api, key } = await startOn(folder)
    expect((await putWidget(api, key, 1)).status).toBe(201)
    const failure = await attachStrace(server.pid, '-e', `trace=${SYNCS}`, '-e', `inject=${SYNCS}:error=EIO`)
    for (let i = 0; i < 5; i++) expect(await putWidget(api, key, 2)).toMatchObject(UNAVAILABLE)
    expect(await storedValue(api, key)).toBe(1)
    expect((await failure.end()).length).toBeGreaterThan(0)
    expect((await putWidget(api, key, 3)).status).toBe(201)
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(integrityOf(join(folder, 'heliograph.db'))).toBe('ok')
    measured('R11', 'sqlite', 'failing syncs: 503, nothing stored, writes work again')
  })
})

function mountTmpfs(size: string): string {
  const folder = emptyFolder()
  system('mount', '-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder)
  onTestFinished(() => system('umount', '-l', folder))
  return folder
}

function system(command: string, ...args: string[]): void {
  execFileSync(command, args)
}

// Fills it to the last byte, even if the server writes at the same time.
function fill(file: string): void {
  const filler = openSync(file, 'w')
  try {
    for (;;) writeSync(filler, Buffer.alloc(4096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(filler)
  }
}

// Already allocated space is used first, so several writes may succeed before the refusal.
async function eventuallyRefused<Answer extends { status: number }>(write: () => Promise<Answer>): Promise<Answer> {
  for (let i = 0; i < 2000; i++) {
    const answer = await write()
    if (answer.status !== 201) return answer
  }
  throw new Error('the disk did not become full')
}

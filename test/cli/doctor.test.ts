// heliograph doctor: one line for each thing that the server needs, what to do, and an exit code for scripts.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { runCommand } from '../support/cli/run-command.ts'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'

type Line = { check: string; status: string; found: string; fix?: string }

// In the process of the test. Those that read the lines for people start one.
async function findings(
  environment: Environment,
): Promise<{ code: number | null; find(name: string): Line | undefined }> {
  const { code, stdout } = await runCommand(['doctor', '--json'], environment)
  const lines: Line[] = JSON.parse(stdout).items
  return { code, find: (name) => lines.find(({ check }) => check === name) }
}

test('a healthy server, then one with a readable secret, a damaged one and a mistyped setting', async () => {
  const folder = join(emptyFolder(), 'data')
  const environment = { HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_PORT: '0' }
  const before = await findings(environment)
  expect(before.code).toBe(1)
  expect(before.find('database')).toMatchObject({
    status: 'failure',
    found: expect.stringContaining('there is no database'),
  })
  expect(existsSync(folder)).toBe(false)

  const { url } = await startHeliograph(['serve'], { environment })
  const healthy = await runHeliograph(['doctor', '--public-url', url], { environment })
  expect([healthy.code, healthy.stderr]).toEqual([0, ''])
  expect(healthy.stdout).toMatch(/^ok {7}public URL {7}http:\/\/127\.0\.0\.1:\d+ is this server/m)
  expect(healthy.stdout).toMatch(/^(ok {5}|warning) {2}disk space .* MB are free on the disk of /m)
  // A busy machine may take too long to draw: test/api/service/checks.test.ts moves the clock itself.
  expect(healthy.stdout).toMatch(/^(ok {5}|warning) {2}pictures {2}/m)
  expect(healthy.stdout).toMatch(/^warning {2}Web Push .*\n +fix: set HELIOGRAPH_PUBLIC_URL/m)

  chmodSync(join(folder, 'signing.key'), 0o644)
  writeFileSync(join(folder, 'vapid-keys.json'), '{}')
  const { code, find } = await findings({ ...environment, HELIOGRAPH_PROT: '1' })
  expect(code).toBe(1)
  expect(find('configuration')).toMatchObject({ status: 'warning', fix: expect.stringContaining('HELIOGRAPH_PORT') })
  expect(find('data folder')).toMatchObject({ status: 'failure', fix: `chmod go= ${join(folder, 'signing.key')}` })
  expect(find('secrets')).toMatchObject({
    status: 'failure',
    found: expect.stringContaining('vapid-keys.json is damaged'),
  })
})

test('a folder of fonts that is not there, or has none, is a warning', async () => {
  const folder = emptyFolder()
  const environment = { HELIOGRAPH_DATA_DIR: join(folder, 'data'), HELIOGRAPH_PORT: '0' }
  await runCommand(['user', 'add', 'ada'], environment)
  const found = async (fonts: string) => (await findings({ ...environment, HELIOGRAPH_FONTS_DIR: fonts })).find('fonts')
  const missing = join(folder, 'fonts')
  expect(await found(missing)).toMatchObject({ status: 'warning', found: `${missing} cannot be read (ENOENT)` })
  mkdirSync(missing)
  expect(await found(missing)).toMatchObject({ status: 'warning', found: `${missing} has no font` })
  writeFileSync(join(missing, 'a.ttf'), '')
  expect(await found(missing)).toMatchObject({ status: 'ok', found: `${missing} has 1 file` })
})

test('a database with damaged pages is a failure', async () => {
  const folder = join(emptyFolder(), 'data')
  const environment = { HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_PORT: '0' }
  await runCommand(['user', 'add', 'ada'], environment)
  const whole = await findings(environment)
  expect(whole.code).toBe(0)
  expect(whole.find('database pages')).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('no damage was found'),
  })

  const file = openSync(join(folder, 'heliograph.db'), 'r+')
  writeSync(file, Buffer.alloc(20 * 4096, 'x'), 0, 20 * 4096, 2 * 4096)
  closeSync(file)
  const damaged = await findings(environment)
  expect(damaged.code).toBe(1)
  expect(damaged.find('database pages')).toMatchObject({
    status: 'failure',
    found: expect.stringContaining('damaged'),
    fix: expect.stringContaining('stop the server'),
  })
})

test('a database that cannot be reached is a failure, and the other checks go on', async () => {
  const { code, stdout } = await runHeliograph(['doctor', '--database-url', 'postgres://me:hidden@127.0.0.1:1/x'])
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^FAILURE {2}database +PostgreSQL at 127\.0\.0\.1:1 cannot be reached .*\n +fix: check HELIOGRAPH_DATABASE_URL$/m,
  )
  expect(stdout).toMatch(/^ok +e-mail /m)
  expect(stdout).not.toContain('hidden')
})

test('a bad setting is told before anything else', async () => {
  const { code, stdout } = await runHeliograph(['doctor', '--port', '70000'])
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^FAILURE {2}configuration {2}--port must be a whole number/),
  ])
})

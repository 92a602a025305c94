// heliograph doctor: one line for each thing that the server needs, what to do, and an exit code for scripts.
import { chmodSync, closeSync, existsSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'

type Line = { check: string; status: string; found: string; fix?: string }

test('a healthy server, then one with a readable secret, a damaged one and a mistyped setting', async () => {
  const folder = join(emptyFolder(), 'data')
  const environment = { HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_PORT: '0' }
  const before = await runHeliograph(['doctor'], { environment })
  expect([before.code, before.stdout]).toEqual([
    1,
    expect.stringMatching(/^FAILURE {2}database +there is no database/m),
  ])
  expect(existsSync(folder)).toBe(false)

  const { url } = await startHeliograph(['serve'], { environment })
  const healthy = await runHeliograph(['doctor', '--public-url', url], { environment })
  expect([healthy.code, healthy.stderr]).toEqual([0, ''])
  expect(healthy.stdout).toMatch(/^ok {7}public URL {7}http:\/\/127\.0\.0\.1:\d+ is this server/m)
  expect(healthy.stdout).toMatch(/^warning {2}Web Push .*\n +fix: set HELIOGRAPH_PUBLIC_URL/m)

  chmodSync(join(folder, 'signing.key'), 0o644)
  writeFileSync(join(folder, 'vapid-keys.json'), '{}')
  const damaged = await runHeliograph(['doctor', '--json'], { environment: { ...environment, HELIOGRAPH_PROT: '1' } })
  expect(damaged.code).toBe(1)
  const lines: Line[] = JSON.parse(damaged.stdout).items
  const line = (name: string) => lines.find(({ check }) => check === name)
  expect(line('configuration')).toMatchObject({ status: 'warning', fix: expect.stringContaining('HELIOGRAPH_PORT') })
  expect(line('data folder')).toMatchObject({ status: 'failure', fix: `chmod go= ${join(folder, 'signing.key')}` })
  expect(line('secrets')).toMatchObject({
    status: 'failure',
    found: expect.stringContaining('vapid-keys.json is damaged'),
  })
})

test('a database with damaged pages is a failure', async () => {
  const folder = join(emptyFolder(), 'data')
  const environment = { HELIOGRAPH_DATA_DIR: folder, HELIOGRAPH_PORT: '0' }
  await runHeliograph(['user', 'add', 'ada'], { environment })
  const whole = await runHeliograph(['doctor'], { environment })
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringMatching(/^ok +database pages +no damage was found/m)])

  const file = openSync(join(folder, 'heliograph.db'), 'r+')
  writeSync(file, Buffer.alloc(20 * 4096, 'x'), 0, 20 * 4096, 2 * 4096)
  closeSync(file)
  const damaged = await runHeliograph(['doctor'], { environment })
  expect(damaged.code).toBe(1)
  expect(damaged.stdout).toMatch(/^FAILURE +database pages +.*damaged.*\n +fix: stop the server/m)
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

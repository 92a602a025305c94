// heliograph heartbeat, and heliograph run --heartbeat: against a server, whose heartbeats say what arrived.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { eventually } from '../../support/eventually.ts'
import { NOBODY, TOKEN } from '../../support/fakes/replying-server.ts'
import { launch, MAIN, runHeliograph, watch } from '../../support/heliograph-process.ts'
import { heartbeatsOf } from '../../support/on-call/heartbeats.ts'

let app: TestApp
let user: TestUser
let environment: Record<string, string | undefined>
beforeAll(async () => {
  app = await startTestApp()
  user = await app.addUser()
  environment = { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: user.defaultKey, PATH: process.env.PATH }
})
afterAll(() => app.stop())

const heliograph = (...args: string[]) => runCommand(args, environment)
const lastPings = async (slug: string) =>
  (await heartbeatsOf(app).pings(user, slug)).map((ping: Record<string, unknown>) => [
    ping.kind,
    ping.exit_status,
    ping.body,
  ])

test('create prints the address; list shows the status; ping by slug and by address; rm', async () => {
  const created = await heliograph(
    'heartbeat',
    'create',
    'nightly',
    '--cron',
    '0 3 * * *',
    '--grace',
    '1h',
    '--acknowledge',
  )
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const [verb, address = ''] = created.stdout.trim().split('\n')
  expect(verb).toBe('created nightly')
  expect(
    (await heliograph('heartbeat', 'create', 'nightly', '--every', '1d', '--name', 'Backup', '--max-run', '2h')).stdout,
  ).toBe(`changed nightly\n${address}\n`)
  expect(await heliograph('heartbeat', 'ping', 'nightly', '--start')).toMatchObject({ code: 0, stdout: 'pinged\n' })
  const withoutToken = { HELIOGRAPH_URL: NOBODY, PATH: process.env.PATH }
  expect(
    await runHeliograph(['heartbeat', 'ping', address, '-', '--status', '0'], {
      environment: withoutToken,
      stdin: 'all saved',
    }),
  ).toMatchObject({ code: 0, stderr: '' })
  expect((await heartbeatsOf(app).read(user, 'nightly')).max_run_seconds).toBe(7200)
  expect(await lastPings('nightly')).toEqual([
    ['success', 0, 'all saved'],
    ['start', undefined, undefined],
  ])
  expect((await heliograph('heartbeat', 'list')).stdout).toMatch(/^SLUG.*\nnightly +up +\S+Z +\S+Z +Backup\n$/)
  expect((await heliograph('heartbeat', 'create', 'both', '--every', '1h', '--cron', '@daily')).code).toBe(2)
  expect((await heliograph('heartbeat', 'ping', 'none')).code).toBe(4)
  expect((await heliograph('heartbeat', 'rm', 'nightly')).stdout).toBe('deleted nightly\n')
})

test('run pings the start and the exit status with the end of the errors, and passes the exit code on', async () => {
  await heartbeatsOf(app).add(user, { slug: 'job' })
  const script = 'echo to stdout; echo "no space left" >&2; exit 3'
  const run = (...command: string[]) => runHeliograph(['run', '--heartbeat', 'job', '--', ...command], { environment })
  const failed = await run('sh', '-c', script)
  expect(failed).toMatchObject({ code: 3, stdout: 'to stdout\n', stderr: 'no space left\n' })
  expect((await run('true')).code).toBe(0)
  expect(await lastPings('job')).toEqual([
    ['success', 0, undefined],
    ['start', undefined, undefined],
    ['fail', 3, 'no space left'],
    ['start', undefined, undefined],
  ])
  expect((await app.get('/activities', user.token)).body.items).toEqual([])
})

test('a signal ends the command, which is reported as shells do', async () => {
  await heartbeatsOf(app).add(user, { slug: 'stopped' })
  const args = ['run', '--heartbeat', 'stopped', '--', 'sh', '-c', 'echo ready; exec sleep 60']
  const child = launch([MAIN, ...args], { environment })
  const { ended, seen } = watch(child)
  await eventually(() => expect(seen.stdout).toBe('ready\n'))
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect((await lastPings('stopped'))[0]).toEqual(['fail', 143, undefined])
})

test('the command runs all the same without a server, after one line of warning', async () => {
  const ended = await runHeliograph(['run', '--heartbeat', 'job', '--', 'sh', '-c', 'echo out; exit 4'], {
    environment: { HELIOGRAPH_URL: NOBODY, HELIOGRAPH_TOKEN: TOKEN, PATH: process.env.PATH },
  })
  expect([ended.code, ended.stdout]).toEqual([4, 'out\n'])
  expect(ended.stderr).toMatch(/^heliograph: not reported: [^\n]*cannot be reached[^\n]+\n$/)
})

// heliograph escalation, and the options that name a policy: against a server.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { runHeliograph } from '../../support/heliograph-process.ts'

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

test('create takes steps as words or as JSON; list, show and rm; send and heartbeat name the policy', async () => {
  const steps = ['--step', 'after=5m level=critical repeat=30s', '--step', 'after=1h callback=https://example.org/e']
  expect(await heliograph('escalation', 'create', 'night', '--name', 'At night', ...steps)).toMatchObject({
    code: 0,
    stdout: 'created night\nafter 5m  critical; every 30s\nafter 1h  callback to https://example.org/e\n',
  })
  expect((await app.get('/escalations/night', user.token)).body.steps).toEqual([
    { after_seconds: 300, level: 'critical', repeat_seconds: 30 },
    { after_seconds: 3600, callback_url: 'https://example.org/e' },
  ])
  app.advanceSeconds(1)
  const asJson = await runHeliograph(['escalation', 'create', 'day', '--steps', '-'], {
    environment,
    stdin: '[{"after_seconds": 60, "level": "critical"}]',
  })
  expect(asJson).toMatchObject({ code: 0, stdout: 'created day\nafter 1m  critical\n' })
  expect((await heliograph('escalation', 'list')).stdout).toBe(
    'SLUG   STEPS  NAME\nday    1      day\nnight  2      At night\n',
  )
  expect((await heliograph('escalation', 'show', 'night')).stdout).toMatch(/^At night\nafter 5m {2}critical/)

  expect((await heliograph('send', 'Fire', 'Room 3', '--escalation', 'night')).code).toBe(0)
  const { items } = (await app.get('/notifications/receipts', user.token)).body
  expect(items).toMatchObject([{ escalation: 'night', escalated_steps: 0 }])
  const heartbeat = ['heartbeat', 'create', 'backup', '--every', '1d', '--escalation', 'night']
  expect((await heliograph(...heartbeat)).code).toBe(0)
  expect((await app.get('/heartbeats/backup', user.token)).body.acknowledge).toEqual({ escalation: 'night' })

  const inUse = await heliograph('escalation', 'rm', 'night')
  expect(inUse).toMatchObject({ code: 3, stderr: expect.stringContaining('force') })
  expect((await heliograph('escalation', 'rm', 'night', '--force')).stdout).toBe('deleted night\n')
})

test('2 for a step that cannot be read, and the help says how a step is written', async () => {
  for (const bad of ['level=critical', 'after=soon level=critical', 'after=5m loud=yes', '5m']) {
    expect((await heliograph('escalation', 'create', 'x', '--step', bad)).code).toBe(2)
  }
  expect((await heliograph('escalation', 'create', 'x')).code).toBe(2)
  expect((await heliograph('escalation', 'create', '--help')).stdout).toContain('after=5m')
})

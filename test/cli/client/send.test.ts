// heliograph send: what its arguments and options become, and what it prints.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { NOBODY, serverThatReplies, TOKEN } from '../../support/fakes/replying-server.ts'
import { emptyFolder, MAIN, runHeliograph } from '../../support/heliograph-process.ts'

const app = useTestApp()

const SENT = { id: 17, title: 'T', body: 'B', level: 'active', pushed: true, delivery: 'all' }

async function requestOf(...args: string[]) {
  const { received, environment } = await serverThatReplies({ status: 201, body: SENT })
  const { code, stderr } = await runCommand(['send', ...args], environment)
  expect([code, stderr]).toEqual([0, ''])
  return received[0]
}

describe('the request', () => {
  test('has title and body, and nothing else unless it is asked for', async () => {
    const request = await requestOf('Backup done', '412 files')
    expect(request).toMatchObject({ method: 'POST', url: '/notifications', json: { title: 'Backup done' } })
    expect(request?.json).toEqual({ title: 'Backup done', body: '412 files' })
  })

  test('-t is the title, and -p takes the priorities of ntfy, too', async () => {
    const request = await requestOf('-t', 'Backup', '-p', '4', '-C', 'https://a.example', '-A', 'ok=OK', 'done')
    expect(request?.json).toEqual({
      ...{ title: 'Backup', body: 'done', level: 'time-sensitive', url: 'https://a.example' },
      actions: [{ id: 'ok', title: 'OK' }],
    })
    expect((await requestOf('T', 'B', '-p', 'max'))?.json).toMatchObject({ level: 'critical' })
    for (const args of [['-p', '6', 'T'], ['-p', 'toString', 'T'], [], ['-t', 'T', 'B', 'more']])
      expect(await runCommand(['send', ...args], { HELIOGRAPH_TOKEN: TOKEN })).toMatchObject({ code: 2, stdout: '' })
  })

  test('every option is the member of the contract', async () => {
    const request = await requestOf(
      ...['T', 'B', '--subtitle', 'S', '--level', 'critical', '--volume', '0.5', '--link', 'https://a.example/?x=1'],
      ...['--image', 'https://a.example/i.png', '--icon', 'https://a.example/icon.png', '--source', 'ci'],
      ...['--source-name', 'CI', '--thread', 'builds', '--collapse', 'main', '--activity', 'build', '--no-push'],
      ...[
        '--metadata',
        'commit=a=b',
        '--metadata',
        'branch=main',
        '--target',
        'group:on-call',
        '--target',
        'tag:phone',
      ],
      ...['--target', 'group:ops', '--action', 'yes=Yes, a=b', '--action', 'log=Log=https://a.example/log?a=b'],
      ...['--open', 'page=Page=https://a.example/page', '--ack', '--repeat', '2m', '--expire', '3h', '--tag', 'db01'],
      ...['--tag', 'disk', '--callback', 'https://a.example/hook', '--idempotency-key', 'run 7'],
    )
    expect(request?.headers).toMatchObject({ 'idempotency-key': 'run 7', 'content-type': 'application/json' })
    expect(request?.json).toEqual({
      title: 'T',
      body: 'B',
      subtitle: 'S',
      level: 'critical',
      volume: 0.5,
      url: 'https://a.example/?x=1',
      media: { url: 'https://a.example/i.png', type: 'image' },
      icon_url: 'https://a.example/icon.png',
      source: 'ci',
      source_display_name: 'CI',
      thread_id: 'builds',
      collapse_id: 'main',
      activity_slug: 'build',
      push: false,
      metadata: { commit: 'a=b', branch: 'main' },
      target: { groups: ['on-call', 'ops'], tags: ['phone'] },
      actions: [
        { id: 'yes', title: 'Yes, a=b' },
        { id: 'log', title: 'Log', url: 'https://a.example/log?a=b' },
        { id: 'page', title: 'Page', url: 'https://a.example/page', foreground: true },
      ],
      acknowledge: { repeat_seconds: 120, expire_seconds: 10_800 },
      tags: ['db01', 'disk'],
      callback_url: 'https://a.example/hook',
    })
  })

  test('--at and --in schedule it', async () => {
    const at = await requestOf('T', 'B', '--at', '2026-12-24T18:30:00+01:00')
    expect(at).toMatchObject({ url: '/notifications/scheduled', json: { send_at: '2026-12-24T17:30:00.000Z' } })
    const before = Date.now()
    const later = (await requestOf('T', 'B', '--in', '1h30m'))?.json as { send_at: string }
    const [earliest, latest] = [before + 5400_000, Date.now() + 5400_000]
    expect(Date.parse(later.send_at)).toBeGreaterThanOrEqual(earliest)
    expect(Date.parse(later.send_at)).toBeLessThanOrEqual(latest)
  })
})

describe('the body', () => {
  test('--file with --in uploads the file first, for as many days as it must be kept', async () => {
    const file = join(emptyFolder(), 'log.json')
    writeFileSync(file, '{}')
    const uploaded = { status: 201, body: { id: 'f1' } }
    const { received, environment } = await serverThatReplies(uploaded, { status: 201, body: SENT })
    const { code, stderr } = await runCommand(['send', 'T', 'B', '--in', '36h', '--file', file], environment)
    expect([code, stderr]).toEqual([0, ''])
    expect(received[0]).toMatchObject({ method: 'POST', url: '/files?name=log.json&keep_days=2' })
    expect(received[1]).toMatchObject({ url: '/notifications/scheduled', json: { attachments: [{ file_id: 'f1' }] } })
  })

  test('"-" reads standard input, and keeps the end of a text that is too long', async () => {
    const { received, environment } = await serverThatReplies({ status: 201, body: SENT })
    await runHeliograph(['send', 'T', '-'], { environment, stdin: 'two\nlines\n' })
    await runHeliograph(['send', 'T', '-'], { environment, stdin: `${'x'.repeat(300_000)}end\n${' '.repeat(300_000)}` })
    expect(received.map(({ json }) => json)).toEqual([
      { title: 'T', body: 'two\nlines' },
      { title: 'T', body: `…${'x'.repeat(4092)}end` },
    ])
  })

  test.each([
    ['a pipe is read', `echo piped | "$NODE" "$MAIN" send T`, 'piped'],
    ['an empty pipe, such as that of cron, leaves the name of the machine', `: | "$NODE" "$MAIN" send T`, undefined],
    ['a body wins over a pipe', `echo piped | "$NODE" "$MAIN" send T B`, 'B'],
    ['a file is left to the loop that reads it', `"$NODE" "$MAIN" send T < "$MAIN"`, undefined],
    ['a closed standard input is empty', `"$NODE" "$MAIN" send T <&-`, undefined],
  ])('%s', async (_, script, body = `from ${hostname()}`) => {
    const { received, environment } = await serverThatReplies({ status: 201, body: SENT })
    const env = { ...environment, NODE: process.execPath, MAIN }
    await promisify(execFile)('/bin/sh', ['-c', script], { env })
    expect(received.map(({ json }) => json)).toEqual([{ title: 'T', body }])
  })
})

describe('against a server', () => {
  const run = (token: string, ...args: string[]) =>
    runCommand(['send', ...args], { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token })

  test('a notification is in the inbox; the output says who has it', async () => {
    const user = await app.addUser()
    const { code, stdout } = await run(user.defaultKey, 'Hello', 'World')
    const { items } = (await app.get('/notifications', user.token)).body
    expect([code, stdout]).toEqual([0, `stored ${items[0].id}; no device is registered\n`])
    expect(items).toMatchObject([{ title: 'Hello', body: 'World' }])
    expect((await run(user.defaultKey, 'Hello', 'World', '--no-push')).stdout).toMatch(/; in the inbox only\n$/)
  })

  test('--json prints the response; the same key and body send nothing twice', async () => {
    const user = await app.addUser()
    const args = ['T', 'B', '--idempotency-key', 'once', '--json']
    const first = JSON.parse((await run(user.defaultKey, ...args)).stdout)
    expect(first).toMatchObject({ title: 'T', delivery: 'none' })
    expect(JSON.parse((await run(user.defaultKey, ...args)).stdout)).toEqual(first)
  })

  test('--dry-run sends nothing', async () => {
    const user = await app.addUser()
    expect(JSON.parse((await run(user.defaultKey, 'T', 'B', '--dry-run')).stdout)).toMatchObject({ valid: true })
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('--at prints the schedule', async () => {
    const user = await app.addUser()
    const time = new Date(app.clock.now() + 3600_000).toISOString()
    const { stdout } = await run(user.defaultKey, 'T', 'B', '--at', time)
    const { items } = (await app.get('/notifications/scheduled', user.token)).body
    expect(stdout).toBe(`will send ${items[0].id} at ${time}\n`)
  })

  test('3 for a key that may not send', async () => {
    const user = await app.addUser()
    const key = await app.addKey(user, { permissions: { widgets: 'read' } })
    const { code, stdout, stderr } = await run(key, 'T', 'B')
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^heliograph: .*integration_key\.permission_denied.*"heliograph key create".*\n$/)
  })
})

test.each<[string[], string]>([
  [[], "missing required argument 'title'"],
  [['T', 'B', 'C'], 'too many arguments'],
  [['T', 'B', '--levl', 'active'], '(Did you mean --level?)'],
  [['T', 'B', '--level', 'loud'], 'passive, active, time-sensitive, critical'],
  [['T', 'B', '--volume', '2'], 'a number from 0 to 1'],
  [['T', 'B', '--action', 'yes'], 'of the form ID=LABEL'],
  [['T', 'B', '--open', 'a=b'], 'of the form ID=LABEL=URL'],
  [['T', 'B', '--metadata', '=x'], 'of the form NAME=VALUE'],
  [['T', 'B', '--target', 'on-call'], 'group:NAME, tag:NAME or member:USER-ID'],
  [['T', 'B', '--repeat', '5s'], 'a duration from 30s to 1h'],
  [['T', 'B', '--in', 'soon'], 'a duration from 1s to 365d'],
  [['T', 'B', '--at', 'noon'], 'a time such as 18:30'],
  [['T', 'B', '--at', '18:30', '--in', '5m'], 'give --at or --in, not both'],
])('2 for %j, before a request is sent', async (args, message) => {
  const environment = { HELIOGRAPH_URL: NOBODY, HELIOGRAPH_TOKEN: TOKEN }
  const { code, stdout, stderr } = await runCommand(['send', ...args], environment)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^heliograph: /)
  expect(stderr).toContain(message)
})

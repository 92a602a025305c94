// heliograph widget, activity, schedule, key, device and me, against a server.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { eventually } from '../../support/eventually.ts'
import { startFakeBarkServer } from '../../support/fakes/fake-bark-server.ts'
import { startServer } from '../../support/fakes/local-servers.ts'
import { type Reply, serverThatReplies, TOKEN } from '../../support/fakes/replying-server.ts'

const app = useTestApp({ HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1' })

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

// The commands of a new account.
async function account() {
  const user = await app.addUser()
  const run = (...args: string[]) => runCommand(args, { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: user.token })
  const text = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stderr], args.join(' ')).toEqual([0, ''])
    return stdout
  }
  return { user, run, text, json: async (...args: string[]) => JSON.parse(await text(...args, '--json')) }
}

test('a list goes on to its last page: a plan may allow more than a page', async () => {
  const page = (slug: string) => ({ slug, state: 'ongoing', content: {}, updated_at: '2026-11-19T08:00:00Z' })
  const first = { items: [page('a')], has_more: true, next_cursor: 'abc' }
  const { environment, received } = await serverThatReplies(
    { status: 200, body: first },
    { status: 200, body: { items: [page('b')], has_more: false } },
  )
  const { stdout } = await runCommand(['activity', 'list', '--json'], environment)
  expect(JSON.parse(stdout).items.map(({ slug }: { slug: string }) => slug)).toEqual(['a', 'b'])
  expect(received.map(({ url }) => url)).toEqual(['/activities?limit=100', '/activities?limit=100&after=abc'])
})

// Five seconds lie between two tries.
function passSeconds(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const passing = setInterval(() => vi.advanceTimersByTime(1000), 10)
  onTestFinished(() => {
    clearInterval(passing)
    vi.useRealTimers()
  })
}

describe('widget', () => {
  test('show prints its last line with a mark while the server is away, and with --strict fails', async () => {
    const waybar = { text: 'Boiler 63', class: ['info'] }
    const body = ['Boiler 63\n', waybar, 'Boiler 63 | size=12\n---\nRows\n']
    const replies = body.map((text) => ({ status: 200, body: text }))
    const { environment } = await serverThatReplies(replies[0] as Reply, ...replies.slice(1), { status: 503 })
    const cache = mkdtempSync(join(tmpdir(), 'heliograph-show-'))
    const show = (...args: string[]) =>
      runCommand(['widget', 'show', 'boiler', ...args], { ...environment, XDG_CACHE_HOME: cache })
    for (const form of ['plain', 'waybar', 'swiftbar']) expect((await show('--format', form)).code).toBe(0)
    expect(await show()).toMatchObject({ code: 0, stdout: 'Boiler 63…\n' })
    expect(JSON.parse((await show('--format', 'waybar')).stdout)).toEqual({ ...waybar, class: ['info', 'offline'] })
    expect((await show('--format', 'swiftbar')).stdout).toBe('Boiler 63… | size=12\n---\nRows\n')
    expect(await show('--strict')).toMatchObject({ code: 6, stdout: '' })
    // Nothing was shown in this form before.
    expect(await show('--format', 'tmux')).toMatchObject({ code: 6, stdout: '' })
    expect(readdirSync(join(cache, 'heliograph', 'lines')).filter((name) => /boiler/.test(name))).toEqual([])
  })

  test('show --follow goes on while the server is away, and ends when the widget is gone', async () => {
    passSeconds()
    const text = { status: 200, body: 'Boiler 63\n' }
    const gone = {
      status: 404,
      body: { status: 404, code: 'widget.not_found', detail: 'There is no widget "boiler".' },
    }
    const { environment } = await serverThatReplies(text, { status: 503 }, { status: 503 }, text, gone)
    const cache = mkdtempSync(join(tmpdir(), 'heliograph-show-'))
    const follow = (...args: string[]) =>
      runCommand(['widget', 'show', 'boiler', '--follow', ...args], { ...environment, XDG_CACHE_HOME: cache })
    expect(await follow()).toMatchObject({ code: 4, stdout: 'Boiler 63\nBoiler 63…\nBoiler 63\n' })
    const away = await serverThatReplies({ status: 503 })
    const strict = { ...away.environment, XDG_CACHE_HOME: cache }
    expect(await runCommand(['widget', 'show', 'boiler', '--follow', '--strict'], strict)).toMatchObject({ code: 6 })
  })

  test('show --follow marks the last whole text, however the stream is cut, and also after it broke', async () => {
    passSeconds()
    const texts: Record<string, [first: string, second: string]> = {
      plain: ['Boiler 63 °C\n', 'Boiler 64 °C\n'],
      i3blocks: ['Boiler 63 °C\n63 °C\n#007aff\n', 'Boiler 64 °C\n64 °C\n#007aff\n'],
      swiftbar: [
        'Boiler 63 °C | size=12\n---\nOpen | href=/\n~~~\n',
        'Boiler 64 °C | size=12\n---\nOpen | href=/\n~~~\n',
      ],
      argos: ['Boiler 63 °C | size=12\n---\nOpen | href=/\n', 'Boiler 64 °C | size=12\n---\nOpen | href=/\n'],
    }
    for (const [form, [first, second]] of Object.entries(texts)) {
      const cache = mkdtempSync(join(tmpdir(), 'heliograph-show-'))
      const folder = join(cache, 'heliograph', 'lines')
      const remembered = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
      const gone = { status: 404, code: 'widget.not_found', detail: 'There is no widget "boiler".' }
      const ways = [
        // Two texts at once, and a part of the next one.
        (response: ServerResponse) => response.end(`${first}${second}Boi`),
        async (response: ServerResponse) => {
          for (const byte of Buffer.from(first)) response.write(Buffer.of(byte))
          await eventually(() => expect(remembered()).toEqual([first.replace('~~~\n', '').trimEnd()]))
          response.destroy()
        },
        (response: ServerResponse) => response.destroy(),
        (response: ServerResponse) => response.writeHead(404).end(JSON.stringify(gone)),
      ]
      let asked = 0
      const { url } = await startServer((_request, response) => void ways[asked++]?.(response))
      const environment = { HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: TOKEN, XDG_CACHE_HOME: cache }
      const { code, stdout } = await runCommand(['widget', 'show', 'boiler', '--follow', '--format', form], environment)
      const marked = first.replace('°C', '°C…')
      expect([form, code, stdout]).toEqual([form, 4, first + second + first + marked])
    }
  })

  test('show refuses options without effect, and says which file it cannot write', async () => {
    const { run, text } = await account()
    await text('widget', 'set', 'office', 'template=value', 'value=1')
    for (const args of [
      ['--json', '--format', 'tmux'],
      ['--picture', 'a.png', '--max', '9'],
      ['--json', '--picture', 'a.png'],
    ])
      expect([args, (await run('widget', 'show', 'office', ...args)).code]).toEqual([args, 2])
    expect(await run('widget', 'show', 'office', '--picture', '/nowhere/a.png')).toMatchObject({
      code: 2,
      stderr: 'heliograph: /nowhere/a.png cannot be written (ENOENT).\n',
    })
    expect((await run('activity', 'show', '--help')).stdout).toContain('card, compact or badge')
  })

  test('set creates, then merges; get, list and rm', async () => {
    const { user, run, text, json } = await account()
    expect(await text('widget', 'list')).toBe('no widgets yet\n')
    const content = ['template=gauge', 'value=21.5', 'min_value=10', 'max_value=35', 'unit=°C', 'label=42']
    expect(await text('widget', 'set', 'office', ...content, '--throttle', '30s')).toBe('created office\n')
    expect(await text('widget', 'set', 'office', 'value=22', 'unit=null', '--name', 'Office')).toBe('changed office\n')
    const expected = { template: 'gauge', value: 22, min_value: 10, max_value: 35, label: '42' }
    const { body } = await app.get('/widgets/office', user.token)
    expect(body).toMatchObject({ name: 'Office', push_throttle: 30, content: expected })
    expect(await json('widget', 'get', 'office')).toEqual(body)
    expect(await text('widget', 'get', 'office')).toMatch(/^slug {7}office\nname {7}Office\ntemplate {3}gauge\n/)
    expect(await text('widget', 'list')).toMatch(
      /^SLUG {4}NAME {4}TEMPLATE {2}UPDATED\noffice {2}Office {2}gauge {5}\S+Z\n$/,
    )
    expect(await text('widget', 'show', 'office')).toBe('42 22\n')
    expect(JSON.parse(await text('widget', 'show', 'office', '--format', 'waybar'))).toMatchObject({ alt: 'gauge' })
    expect(await json('widget', 'show', 'office')).toMatchObject({ kind: 'widget', text: '22' })
    expect(await run('widget', 'show', 'garage')).toMatchObject({ code: 4, stdout: '' })
    const { body: link } = await app.post('/screens', { name: 'x', widgets: ['office'] }, user.token)
    expect(await text('widget', 'show', 'office', '--link', link.url)).toBe('42 22\n')
    const file = join(mkdtempSync(join(tmpdir(), 'heliograph-show-')), 'office.png')
    const shown = ['widget', 'show', 'office', '--link', link.url, '--picture', file, '--family', 'small']
    expect(await text(...shown)).toBe(`${file}\n`)
    expect(readFileSync(file).readUInt32BE(16)).toBe(316)
    await app.del(`/screens/${link.id}`, user.token)
    const revoked = await run(...shown, '--follow')
    expect([revoked.code, revoked.stderr]).toEqual([2, expect.stringContaining('--follow is for texts')])
    const gone = await run('widget', 'show', 'office', '--link', link.url, '--follow')
    expect([gone.code, gone.stderr.includes('hls_')]).toEqual([4, false])
    expect(await json('widget', 'rm', 'office')).toEqual({ slug: 'office', deleted: true })
    expect(await run('widget', 'get', 'office')).toMatchObject({ code: 4 })
  })

  test('--content takes JSON, which the arguments override', async () => {
    const { json } = await account()
    const rows = [{ label: 'CPU', value: '12 %' }]
    const content = JSON.stringify({ template: 'stat_list', stat_rows: rows, label: 'Old' })
    expect(await json('widget', 'set', 'host', '--content', content, 'label=Host')).toMatchObject({
      slug: 'host',
      name: 'host',
      content: { template: 'stat_list', stat_rows: rows, label: 'Host' },
    })
  })

  test.each<[string[], string]>([
    [['set', 'w'], 'give something to set'],
    [['set', 'w', 'value'], 'of the form NAME=VALUE'],
    [['set', 'w', '--content', '[]'], '--content must be a JSON object'],
    [['set', 'w', 'template=gauge', 'value=1'], 'widget.content_invalid'],
  ])('2 for %j', async (args, message) => {
    const { run } = await account()
    expect(await run('widget', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
  })
})

describe('activity', () => {
  test('start, update, end, list, get and rm', async () => {
    const { user, run, text, json } = await account()
    const started = ['start', 'build', 'state=42', 'progress=0.4', '--name', 'Build', '--priority', '5']
    expect(await text('activity', ...started, '--stale-after', '1h', '--sound', 'chime')).toBe('build is ongoing\n')
    const { body } = await app.get('/activities/build', user.token)
    expect(body).toMatchObject({ name: 'Build', priority: 5, stale_ttl: 3600, content: { state: '42', progress: 0.4 } })
    expect(await text('activity', 'update', 'build', 'state=Testing')).toBe('build is ongoing\n')
    expect(await text('activity', 'list', '--state', 'ongoing')).toMatch(/^build {2}ongoing {2}Testing {2}\S+Z$/m)
    expect(await text('activity', 'get', 'build')).toMatch(/^content.state {5}Testing$/m)
    expect(await json('activity', 'end', 'build', 'state=Shipped')).toMatchObject({ state: 'ended' })
    expect(await text('activity', 'start', 'bare')).toBe('bare is ongoing\n')
    expect(await run('activity', 'update', 'none', 'state=x')).toMatchObject({ code: 4 })
    expect(await run('activity', 'update', 'build')).toMatchObject({ code: 2 })
    expect(await run('activity', 'update', 'build', 'state=x', '--sound', 'moo')).toMatchObject({ code: 2 })
    expect(await text('activity', 'rm', 'build')).toBe('deleted build\n')
  })
})

describe('schedule', () => {
  test('add, list and rm', async () => {
    const { text, json, run } = await account()
    expect(await text('schedule', 'list')).toBe('no schedules\n')
    const cron = ['--cron', '20 9 * * mon-fri', '--timezone', 'Europe/Berlin', '--count', '3', '--level', 'passive']
    const series = await json('schedule', 'add', 'Stand-up', 'Soon', ...cron)
    expect(series).toMatchObject({
      level: 'passive',
      recurrence: { cron: '20 9 * * mon-fri', timezone: 'Europe/Berlin', count: 3 },
    })
    const time = new Date(app.clock.now() + 60_000).toISOString()
    expect(await text('schedule', 'add', 'Tea', 'Ready', '--at', time)).toMatch(/^will send \d+ at \S+Z\n$/)
    expect(await text('schedule', 'list')).toMatch(/^\d+ +scheduled {2}\S+Z {2}20 9 \* \* mon-fri {2}Stand-up$/m)
    expect(await text('schedule', 'rm', String(series.id))).toBe(`canceled schedule ${series.id}\n`)
    expect((await json('schedule', 'list', '--status', 'canceled')).items).toMatchObject([{ id: series.id }])
    expect(await run('schedule', 'add', 'T', 'B')).toMatchObject({ code: 2 })
    expect(await run('schedule', 'rm', '999999')).toMatchObject({ code: 4 })
  })

  test('a series is in the time zone of this machine unless another is given', async () => {
    const { received, environment } = await serverThatReplies({ status: 201, body: { id: 1, send_at: 'then' } })
    await runCommand(['schedule', 'add', 'T', 'B', '--cron', '@daily'], environment)
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(received[0]?.json).toEqual({ title: 'T', body: 'B', recurrence: { cron: '@daily', timezone } })
  })
})

describe('key', () => {
  test('create, list, roll and rm, with a full-access token and with the default key', async () => {
    const { user, text, json, run } = await account()
    const grant = ['--permission', 'widgets:write', '--permission', 'notifications:send', '--widget', 'ci-*']
    const key = await json('key', 'create', 'CI', ...grant, '--expires', '90d')
    expect(key).toMatchObject({
      name: 'CI',
      permissions: { widgets: 'write', notifications: 'send', activities: 'none', emails: 'none' },
      widget_slugs: ['ci-*'],
      key: expect.stringMatching(/^hlk_/),
    })
    expect(await text('key', 'create', 'Other')).toMatch(/^hlk_\S+\nIt is shown only now\.\n$/)
    const listed = await text('key', 'list')
    expect(listed).toMatch(new RegExp(`^${UUID} {2}CI {7}notifications:send,widgets:write +used never$`, 'm'))
    expect(listed).not.toContain('hlk_')
    const byDefaultKey = await runCommand(['key', 'list', '--json'], {
      HELIOGRAPH_URL: app.url,
      HELIOGRAPH_TOKEN: user.defaultKey,
    })
    expect(JSON.parse(byDefaultKey.stdout).items).toHaveLength(3)
    expect(await text('key', 'roll', key.id)).toMatch(/^hlk_/)
    expect((await app.get('/auth/me', key.key)).status).toBe(401)
    expect(await json('key', 'rm', key.id)).toEqual({ id: key.id, deleted: true })
    expect(await run('key', 'rm', key.id)).toMatchObject({ code: 4 })
    expect(await run('key', 'create', 'X', '--permission', 'widgets')).toMatchObject({ code: 2 })
    expect(await run('key', 'create', 'X', '--permission', 'widgets:all')).toMatchObject({ code: 2 })
  })

  test('alias create, list and rm', async () => {
    const { text, json, run } = await account()
    const key = await json('key', 'create', 'Kuma')
    expect(await text('key', 'alias', 'list', key.id)).toBe('no aliases yet\n')
    expect(await text('key', 'alias', 'create', key.id, 'gotify')).toMatch(/^A\S{14}\nIt is shown only now\.\n$/)
    // Aliases are listed in the order of their times.
    app.advanceSeconds(1)
    const alias = await json('key', 'alias', 'create', key.id, 'pushover')
    expect(alias).toMatchObject({ door: 'pushover', token: expect.stringMatching(/^[A-Za-z0-9]{30}$/) })
    const listed = await text('key', 'alias', 'list', key.id)
    expect(listed).toMatch(new RegExp(`^${UUID} {2}gotify {4}made \\S+Z\n${alias.id} {2}pushover {2}made \\S+Z\n$`))
    expect(await json('key', 'alias', 'rm', key.id, alias.id)).toEqual({ id: alias.id, deleted: true })
    expect((await json('key', 'alias', 'list', key.id)).items).toMatchObject([{ door: 'gotify' }])
    expect(await run('key', 'alias', 'rm', key.id, alias.id)).toMatchObject({ code: 4 })
    expect(await run('key', 'alias', 'create', key.id, 'slack')).toMatchObject({ code: 2 })
    expect(await run('key', 'alias', 'create', 'nobody', 'ntfy')).toMatchObject({ code: 4 })
  })
})

test('device adds the app of another service, lists and removes', async () => {
  const { user, run, text, json } = await account()
  expect(await text('device', 'list')).toBe('no devices yet\n')
  const printed = await text('device', 'add', 'Pixel', '--app', 'ntfy')
  const [, password] = /^server +\S+\/ntfy\nuser +heliograph\npassword +(\S+)\ntopic +inbox\n/.exec(printed) ?? []
  expect(printed).toContain('Manage users')
  expect(printed).toMatch(/^who else sees a message +nobody$/m)
  const headers = { authorization: `Basic ${btoa(`heliograph:${password}`)}` }
  expect((await fetch(`${app.url}/ntfy/inbox/auth`, { headers })).status).toBe(200)
  expect(await json('device', 'add', '--app', 'gotify')).toMatchObject({ device: { name: 'Gotify app' } })
  expect(await text('device', 'list')).toMatch(new RegExp(`^${UUID}  Pixel {7}ntfy    seen \\S+\\n`, 'm'))
  const [{ id }] = (await app.get('/devices', user.token)).body.items
  expect(await json('device', 'rm', id)).toEqual({ id, deleted: true })
  expect(await run('device', 'rm', id)).toMatchObject({ code: 4 })
  expect(await run('device', 'add', '--app', 'pushover')).toMatchObject({ code: 2 })
})

test('device adds the Bark app of a phone behind a bark-server, or says what the server lacks', async () => {
  const server = await startFakeBarkServer(['phoneKey2345'])
  onTestFinished(() => server.close())
  const { run, text } = await account()
  const add = ['device', 'add', 'iPhone', '--app', 'bark']
  const printed = await text(...add, '--address', `${server.url}/phoneKey2345/`, '--encrypt')
  expect(printed).toMatch(
    /^Added: pushes go through 127\.0\.0\.1:\d+\.\nencryption key +\w{32}\nIn the Bark app, Settings/,
  )
  expect(await text('device', 'list')).toMatch(/ iPhone +bark +seen /)
  const unknown = await run(...add, '--address', `${server.url}/another/`)
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('the bark-server does not know this key') })
  expect(await run(...add)).toMatchObject({ code: 2, stderr: expect.stringContaining('HELIOGRAPH_BARK_KEY_FILE') })
})

test('me shows account, key and quotas', async () => {
  const user = await app.addUser('free')
  await app.patch('/auth/me', { nickname: 'Ada\u001b[31m' }, user.token)
  const key = await app.addKey(user, { name: 'CI', permissions: { widgets: 'read' } })
  const run = (token: string, ...args: string[]) =>
    runCommand(['me', ...args], { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token })
  const { code, stdout } = await run(key)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^nickname {10}Ada·\[31m$/m)
  expect(stdout).toMatch(/^plan {14}free$/m)
  expect(stdout).toMatch(/^may {15}activities:none notifications:none widgets:read emails:none$/m)
  expect(stdout).toMatch(/^notifications {5}0 of 500$/m)
  expect(JSON.parse((await run(user.token, '--json')).stdout)).toEqual((await app.get('/auth/me', user.token)).body)
})

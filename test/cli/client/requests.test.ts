// What the options of the client commands become in the request, and what its answer becomes in words.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { durationInWords, timestamp, untilTime } from '../../../src/cli/client/arguments/options.ts'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { serverThatReplies } from '../../support/fakes/replying-server.ts'
import { emptyFolder } from '../../support/heliograph-process.ts'

const app = useTestApp()

// The one request of a command that succeeds.
async function requestOf(body: object, ...args: string[]) {
  const { received, environment } = await serverThatReplies({ status: 200, body })
  const { code, stdout, stderr } = await runCommand(args, environment)
  expect([args, code, stderr]).toEqual([args, 0, ''])
  const { method, url, json } = received.at(-1) ?? {}
  return { request: `${method} ${url}`, json, stdout, requests: received.length }
}

const secondsFromNow = (at: string): number => Math.round((Date.parse(at) - Date.now()) / 1000)
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

describe('activity', () => {
  const ACTIVITY = { slug: 'build', state: 'ongoing' }

  test('start sends its options, and a template where no content is given', async () => {
    const options = ['--stale-after', '1h', '--delete-after', '2d', '--sound', 'chime', '--priority', '0']
    expect(await requestOf(ACTIVITY, 'activity', 'start', 'build', ...options)).toMatchObject({
      request: 'PATCH /activities/build?upsert=true',
      json: {
        ...{ state: 'ongoing', content: { template: 'generic' }, priority: 0 },
        ...{ sound: 'chime', stale_ttl: 3600, ended_ttl: 172_800 },
      },
    })
    expect((await runCommand(['activity', 'start', 'build', '--priority', '11'])).code).toBe(2)
  })

  test('update may change its priority alone; end may have a last content and a sound', async () => {
    expect((await requestOf(ACTIVITY, 'activity', 'update', 'build', '--priority', '3')).json).toEqual({ priority: 3 })
    const ended = await requestOf(ACTIVITY, 'activity', 'end', 'build', 'state=Shipped', '--sound', 'success')
    expect([ended.request, ended.json]).toEqual([
      'PATCH /activities/build',
      { state: 'ended', content: { state: 'Shipped' }, sound: 'success' },
    ])
  })

  test('list is a table of those in the state that is asked for', async () => {
    const items = [{ slug: 'build', state: 'ended', content: { state: 'a\nb' }, updated_at: 'then' }]
    const { request, stdout } = await requestOf({ items }, 'activity', 'list', '--state', 'ended')
    expect([request, stdout]).toEqual([
      'GET /activities?limit=100&state=ended',
      'SLUG   STATE  SHOWS  UPDATED\nbuild  ended  a b    then\n',
    ])
  })
})

describe('schedule', () => {
  const MADE = { id: 3, send_at: 'then', status: 'scheduled' }

  test('add has a start, an end and a count; rm may purge the record', async () => {
    const times = ['--at', '2026-12-24T18:30:00Z', '--until', '2027-01-01T00:00:00Z', '--count', '5']
    const { json } = await requestOf(MADE, 'schedule', 'add', 'T', 'B', '--cron', '@daily', ...times)
    expect(json).toEqual({
      ...{ title: 'T', body: 'B', send_at: '2026-12-24T18:30:00.000Z' },
      recurrence: { cron: '@daily', timezone: ZONE, until: '2027-01-01T00:00:00.000Z', count: 5 },
    })
    expect((await requestOf({}, 'schedule', 'rm', '3', '--purge')).request).toBe(
      'DELETE /notifications/scheduled/3?purge=true',
    )
    expect((await requestOf({}, 'schedule', 'rm', '3')).request).toBe('DELETE /notifications/scheduled/3')
  })

  test('list says why one has failed', async () => {
    const items = [
      { id: 3, status: 'failed', failure_reason: 'quota_exceeded', send_at: 'then', title: 'A' },
      { id: 4, status: 'sent', send_at: 'then', title: 'B', recurrence: { cron: '@daily' } },
    ]
    expect((await requestOf({ items }, 'schedule', 'list', '--status', 'all')).stdout).toBe(
      'ID  STATUS          DUE   REPEATS  TITLE\n3   quota_exceeded  then  once     A\n4   sent            then  @daily   B\n',
    )
  })
})

describe('heartbeat', () => {
  const MADE = { slug: 'x', ping_url: 'https://helio.example/ping/p' }
  const created = async (...options: string[]) =>
    (await requestOf(MADE, 'heartbeat', 'create', 'x', ...options)).json as object

  test('create sends its options, and times in the zone of this machine', async () => {
    expect(await created('--every', '10m')).toEqual({ slug: 'x', name: 'x', every_seconds: 600 })
    const more = ['--grace', '1h', '--max-run', '2h', '--level', 'critical', '--widget', '--acknowledge']
    expect(await created('--cron', '0 3 * * *', ...more)).toEqual({
      ...{ slug: 'x', name: 'x', cron: '0 3 * * *', timezone: ZONE, grace_seconds: 3600, max_run_seconds: 7200 },
      ...{ level: 'critical', widget: true, acknowledge: {} },
    })
    expect(await created('--cron', '@daily', '--timezone', 'Asia/Tokyo')).toMatchObject({ timezone: 'Asia/Tokyo' })
    expect(await created('--every', '1d', '--escalation', 'night')).toMatchObject({
      acknowledge: { escalation: 'night' },
    })
    for (const every of ['59s', '32d']) {
      expect((await runCommand(['heartbeat', 'create', 'x', '--every', every])).code).toBe(2)
    }
  })

  test('ping says what happened', async () => {
    for (const [options, path] of [
      [[], ''],
      [['--start'], '/start'],
      [['--fail'], '/fail'],
      [['--log'], '/log'],
      [['--status', '7'], '/7'],
    ] as const) {
      const { received, environment } = await serverThatReplies({ status: 200, body: { ping_url: 'http://a/ping/p' } })
      const address = `${environment.HELIOGRAPH_URL.replace(/\/$/, '')}/ping/p`
      const { code } = await runCommand(['heartbeat', 'ping', address, ...options])
      expect([code, received.map(({ method, url }) => `${method} ${url}`)]).toEqual([0, [`POST /ping/p${path}`]])
    }
    expect((await runCommand(['heartbeat', 'ping', 'http://a/ping/p', '--start', '--fail'])).code).toBe(2)
    for (const [status, code] of [
      [404, 4],
      [429, 5],
      [500, 6],
    ] as const) {
      const { environment } = await serverThatReplies({ status })
      expect((await runCommand(['heartbeat', 'ping', `${environment.HELIOGRAPH_URL}/ping/p`])).code).toBe(code)
    }
  })
})

describe('key, mute and quiet', () => {
  test('a key is limited to slugs and a time', async () => {
    const limits = ['--activity', 'build', '--activity', 'deploy-*', '--widget', 'office', '--expires', '90d']
    const { json } = await requestOf({ key: 'hlk_x' }, 'key', 'create', 'CI', ...limits)
    const { expires_at, ...others } = json as { expires_at: string }
    expect(others).toEqual({ name: 'CI', activity_slugs: ['build', 'deploy-*'], widget_slugs: ['office'] })
    expect(Math.round(secondsFromNow(expires_at) / 86_400)).toBe(90)
  })

  test('a key is listed with what it may do and when it was used; a webhook with its limit', async () => {
    const permissions = { notifications: 'none', widgets: 'none', activities: 'none', emails: 'none' }
    const items = [
      { id: 'k1', name: 'Idle', permissions },
      { id: 'k2', name: 'CI', permissions: { ...permissions, widgets: 'read' }, last_used_at: 'then' },
    ]
    expect((await requestOf({ items }, 'key', 'list')).stdout).toBe(
      'k1  Idle  nothing       used never\nk2  CI    widgets:read  used then\n',
    )
    const hooks = [{ id: 'h1', name: 'Kuma', kind: 'generic', last_received_at: 'then' }]
    expect((await requestOf({ items: hooks }, 'hook', 'list')).stdout).toBe(
      'h1  Kuma  generic  no limit  received then\n',
    )
  })

  test('a source, a thread or a key is muted for at most 30 days', async () => {
    for (const [word, member] of [
      ['source', 'source'],
      ['thread', 'thread_id'],
      ['key', 'key_id'],
    ] as const) {
      const { request, json } = await requestOf({ id: 'm', until: 'then' }, 'mute', word, 'x', '30d')
      const { until, ...target } = json as { until: string }
      expect([request, target, Math.round(secondsFromNow(until) / 86_400)]).toEqual([
        'PUT /mutes',
        { [member]: 'x' },
        30,
      ])
    }
    expect((await runCommand(['mute', 'source', 'ci', '31d'])).code).toBe(2)
    const items = [
      { id: 'm1', key_id: 'k', until: 'then' },
      { id: 'm2', thread_id: 't', until: 'then' },
    ]
    expect((await requestOf({ items }, 'mute', 'list')).stdout).toBe(
      'm1  key     k  until then\nm2  thread  t  until then\n',
    )
  })

  test('quiet hours have a zone, and no digest if it is not wanted', async () => {
    const hours = { timezone: 'UTC', windows: [], passes: 'critical', digest: false }
    const set = await requestOf(hours, 'quiet', 'set', 'mon 22:00-07:00', '--no-digest', '--timezone', 'Asia/Tokyo')
    expect([set.request, set.json]).toEqual([
      'PUT /auth/me/quiet-hours',
      { timezone: 'Asia/Tokyo', windows: [{ days: ['mon'], from: '22:00', to: '07:00' }], digest: false },
    ])
    expect((await requestOf(hours, 'quiet', 'set', '22:00-07:00')).json).toMatchObject({ timezone: ZONE, digest: true })
    const now = await requestOf({ ...hours, quiet_until: 'later' }, 'quiet', 'now', '30d')
    expect([now.request, now.stdout]).toEqual(['POST /auth/me/quiet-hours/now', 'quiet until later\n'])
    expect((await runCommand(['quiet', 'now', '31d'])).code).toBe(2)
    const shown = { ...hours, windows: [{ days: ['sat', 'sun'], from: '23:00', to: '09:00' }], quiet_until: 'later' }
    expect((await requestOf(shown, 'quiet', 'show')).stdout).toBe(
      'sat,sun  23:00-09:00\nUTC; critical and above pass; no digest\nquiet until later\n',
    )
  })
})

describe('inbox and receipts', () => {
  test('the filters of the inbox reach the server; twenty are listed unless told', async () => {
    const list = { items: [], has_more: false }
    expect((await requestOf(list, 'inbox')).request).toBe('GET /notifications?limit=20')
    const filters = [
      '-n',
      '5',
      '--unread',
      '--source',
      'ci',
      '--thread',
      'main',
      '--level',
      'critical',
      '--search',
      'a b',
    ]
    expect((await requestOf(list, 'inbox', ...filters, '--since', '2026-11-19T08:00:00Z')).request).toBe(
      'GET /notifications?limit=5&unread=true&source=ci&thread_id=main&level=critical&since=2026-11-19T08%3A00%3A00.000Z&q=a+b',
    )
    expect((await runCommand(['inbox', '-n', '101'])).code).toBe(2)
  })

  test('a receipt tells who has acknowledged it, or why it ended', async () => {
    const receipt = { notification_id: 17, status: 'acknowledged', acknowledged_at: 'then', repeats_sent: 2 }
    const by = { acknowledged_by_device: 'Pixel', acknowledged_by: 'u1', action_id: 'pw_ack', expires_at: 'later' }
    const more = { tags: ['db01', 'disk'], callback: { status: 'delivered' } }
    expect((await requestOf({ ...receipt, ...by, ...more }, 'receipt', 'get', '17')).stdout.split('\n')).toEqual([
      'notification  17',
      'status        acknowledged',
      'acknowledged  then',
      'by            Pixel',
      'button        pw_ack',
      'repeats       2',
      'tags          db01 disk',
      'callback      delivered',
      '',
    ])
    const open = { notification_id: 17, status: 'active', repeats_sent: 0, expires_at: 'later' }
    expect((await requestOf(open, 'receipt', 'get', '17')).stdout).toContain('expires       later')
  })

  test('me names the organization of a key, and what is left of each quota', async () => {
    const account = {
      ...{ id: 'u1', nickname: null, plan: 'paid', quota_resets_at: 'later' },
      ...{ notifications_used: 1, live_activity_updates_used: 2, live_activity_updates_limit: 20 },
      ...{ widget_updates_used: 3, widget_updates_limit: 30, emails_used: 4, emails_limit: 40 },
      ...{ organization: { name: 'Example' }, integration_key: { name: 'CI', permissions: { widgets: 'read' } } },
    }
    expect((await requestOf(account, 'me')).stdout.split('\n')).toEqual([
      'account           u1',
      'organization      Example',
      'plan              paid',
      'key               CI',
      'may               widgets:read',
      'notifications     1',
      'activity updates  2 of 20',
      'widget updates    3 of 30',
      'e-mails           4 of 40',
      'quotas reset      later',
      '',
    ])
  })
})

describe('send', () => {
  test.each([
    [{ delivery: 'all' }, 'sent 17 to all devices'],
    [{ delivery: 'partial' }, 'sent 17 to some devices; others have not accepted the push'],
    [{ delivery: 'none' }, 'stored 17; no device has it'],
    [{ delivery: 'none', reason: 'no_apns_token' }, 'stored 17; no device is registered'],
    [{ delivery: 'none', reason: 'apns_rejected' }, 'stored 17; no device has accepted the push'],
    [{ delivery: 'none', reason: 'push_disabled' }, 'stored 17; in the inbox only'],
    [{ delivery: 'none', reason: 'muted' }, 'stored 17; the person has muted it'],
    [{ delivery: 'none', reason: 'quiet_hours' }, 'stored 17; held by the quiet hours of the person'],
    [{ delivery: 'none', reason: 'storm' }, 'stored 17; over the limit of the storm shield'],
  ])('%j is told in words', async (made, words) => {
    expect((await requestOf({ id: 17, ...made }, 'send', 'T', 'B')).stdout).toBe(`${words}\n`)
  })

  test('--file attaches files to a message of now; a preview of a later one uploads none', async () => {
    const user = await app.addUser()
    const [log, odd] = ['log.txt', 'a"b.txt'].map((name) => join(emptyFolder(), name)) as [string, string]
    for (const file of [log, odd]) writeFileSync(file, 'content')
    const run = (...args: string[]) =>
      runCommand(['send', 'T', 'B', ...args], { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: user.token })
    expect(await run('--file', log, '--file', odd)).toMatchObject({ code: 0, stderr: '' })
    const [{ attachments }] = (await app.get('/notifications', user.token)).body.items
    expect(attachments).toMatchObject([
      { name: 'log.txt', bytes: 7 },
      { name: expect.stringMatching(/^a.+b\.txt$/), bytes: 7 },
    ])
    expect(await run('--file', log, '--in', '1h', '--dry-run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--dry-run uploads no file of a later message'),
    })
    expect(await run('--file', '/nowhere')).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot read') })
  })

  test('a target may be a member; any option of an alert makes it one', async () => {
    const { json } = await requestOf({ id: 1, delivery: 'all' }, 'send', 'T', 'B', '--target', 'member:u1', '--ack')
    expect(json).toMatchObject({ target: { members: ['u1'] }, acknowledge: {} })
    for (const [option, member] of [
      [['--repeat', '2m'], { repeat_seconds: 120 }],
      [['--expire', '3h'], { expire_seconds: 10_800 }],
      [['--escalation', 'night'], { escalation: 'night' }],
    ] as const) {
      const { json: alert } = await requestOf({ id: 1, delivery: 'all' }, 'send', 'T', 'B', ...option)
      expect(alert).toEqual({ title: 'T', body: 'B', acknowledge: member })
    }
  })
})

describe('times', () => {
  test('a time of the day is the next one; a date begins at midnight', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 19, 12, 0) })
    try {
      expect(new Date(timestamp('18:30'))).toEqual(new Date(2026, 10, 19, 18, 30))
      expect(new Date(timestamp('12:00'))).toEqual(new Date(2026, 10, 20, 12, 0))
      expect(new Date(timestamp('9:05'))).toEqual(new Date(2026, 10, 20, 9, 5))
      expect(new Date(timestamp('2026-12-24'))).toEqual(new Date(2026, 11, 24))
      expect(new Date(timestamp('2026-12-24 18:30'))).toEqual(new Date(2026, 11, 24, 18, 30))
      const until = untilTime(86_400)
      expect(new Date(until('18:30'))).toEqual(new Date(2026, 10, 19, 18, 30))
      expect(new Date(until('24h'))).toEqual(new Date(2026, 10, 20, 12, 0))
      for (const wrong of ['24h1s', '0s']) expect(() => until(wrong)).toThrow('at most 1 days')
      for (const wrong of ['24:00', '12:60', 'noon']) expect(() => timestamp(wrong)).toThrow('a time such as')
    } finally {
      vi.useRealTimers()
    }
  })

  test('durations are told by their parts', () => {
    expect([0, 59.6, 90, 3661, 90_000, 2_592_000].map(durationInWords)).toEqual([
      ...['0s', '1m', '1m30s', '1h1m1s', '1d1h', '30d'],
    ])
  })
})

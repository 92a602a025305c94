// What subscribers of ntfy may ask for: formats, where to begin, filters, and the small endpoints.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../../support/app.ts'
import { type AppDevice, addApp, appHeaders, openNtfy, pollNtfy } from '../../../support/devices/app-streams.ts'
import { eventually } from '../../../support/eventually.ts'

const app = useTestApp()

const ask = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
  const answer = await fetch(`${app.url}/ntfy/${path}`, { headers, ...init })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const send = (user: TestUser, message: Record<string, unknown>) =>
  app.post('/notifications', { title: 'T', body: 'B', ...message }, user.token)

async function publish(user: TestUser, topic: string, headers: Record<string, string>, body: string) {
  const answer = await fetch(`${app.url}/ntfy/${topic}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.defaultKey}`, ...headers },
    body,
  })
  return (await answer.json()) as Record<string, unknown>
}

async function withApp(): Promise<{ user: TestUser; device: AppDevice }> {
  const user = await app.addUser()
  return { user, device: await addApp(app, user) }
}

const titles = (lines: { title?: string }[]) => lines.map(({ title }) => title)

describe('formats', () => {
  test('/sse: open and keepalive are named, messages are not', async () => {
    const { user, device } = await withApp()
    await send(user, {})
    const { text, headers } = await ask('inbox/sse?poll=1', appHeaders(device))
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(text).toMatch(/^data: \{"id":.*"event":"message".*\}\n\n$/)
    const disconnect = new AbortController()
    const answer = await fetch(`${app.url}/ntfy/inbox/sse`, { headers: appHeaders(device), signal: disconnect.signal })
    const { value } = await (answer.body as ReadableStream<Uint8Array>).getReader().read()
    expect(new TextDecoder().decode(value)).toMatch(/^event: open\ndata: \{.*"event":"open".*\}\n\n$/)
    disconnect.abort()
  })

  test('/raw: the text of a message in one line', async () => {
    const { user, device } = await withApp()
    await send(user, { body: 'one\ntwo' })
    expect((await ask('inbox/raw?poll=1', appHeaders(device))).text).toBe('one two\n')
  })
})

describe('since', () => {
  test('a duration, a time and latest', async () => {
    const { user, device } = await withApp()
    await send(user, { title: 'old', source: 'a' })
    app.advanceSeconds(600)
    await send(user, { title: 'new', source: 'a' })
    await send(user, { title: 'other', source: 'b' })
    const poll = async (since: string) => titles(await pollNtfy(app, device, `a,b/json?poll=1&since=${since}`))
    expect(await poll('5m')).toEqual(['new', 'other'])
    expect(await poll('1h')).toEqual(['old', 'new', 'other'])
    expect(await poll(String(Math.floor(app.clock.now() / 1000) - 60))).toEqual(['new', 'other'])
    expect(await poll('latest')).toEqual(['new', 'other'])
    expect(await poll('none')).toEqual([])
    const stream = await openNtfy(app, device, 'a,b/json?since=latest')
    await eventually(() => expect(titles(stream.lines)).toEqual(['new', 'other']))
    stream.close()
  })

  test.each(['soon', '-1', '12345678901234'])('400 40008 for %s', async (since) => {
    const { device } = await withApp()
    const { status, text } = await ask(`inbox/json?since=${since}`, appHeaders(device))
    expect([status, JSON.parse(text).code]).toEqual([400, 40008])
  })

  test('an id that is older than a day means everything that is kept', async () => {
    const { user, device } = await withApp()
    await send(user, { title: 'forgotten' })
    const [{ id }] = await pollNtfy(app, device, 'inbox/json?poll=1')
    app.advanceSeconds(25 * 3600)
    await app.app.worker.runDue()
    await send(user, { title: 'kept' })
    expect(titles(await pollNtfy(app, device, `inbox/json?poll=1&since=${id}`)).at(-1)).toBe('kept')
  })

  test('scheduled=1: messages that wait come last, with the time at which they are sent', async () => {
    const { user, device } = await withApp()
    await send(user, { title: 'sent' })
    const at = new Date(app.clock.now() + 3_600_000).toISOString()
    await app.post('/notifications/scheduled', { title: 'later', body: 'B', send_at: at }, user.token)
    const delayed = await publish(user, 'backup', { 'x-delay': '30m', 'x-title': 'sooner' }, 'x')
    const lines = await pollNtfy(app, device, 'inbox/json?poll=1&scheduled=1')
    expect(titles(lines)).toEqual(['sent', 'sooner', 'later'])
    expect(lines[1]).toMatchObject({ id: delayed.id, time: delayed.time })
    expect(lines[2].time).toBe(Math.floor(Date.parse(at) / 1000))
    expect(titles(await pollNtfy(app, device, 'inbox/json?poll=1'))).toEqual(['sent'])
  })
})

describe('filters', () => {
  test('by message, title, any of the priorities, and all of the tags', async () => {
    const { user, device } = await withApp()
    await publish(user, 't', { 'x-title': 'A', 'x-priority': '5', 'x-tags': 'one,two' }, 'first')
    await publish(user, 't', { 'x-title': 'B', 'x-tags': 'one' }, 'second')
    const poll = async (query: string) => titles(await pollNtfy(app, device, `t/json?poll=1&${query}`))
    expect(await poll('m=second')).toEqual(['B'])
    expect(await poll('title=A')).toEqual(['A'])
    expect(await poll('priority=high,urgent')).toEqual(['A'])
    expect(await poll('p=3')).toEqual(['B'])
    expect(await poll('tags=one')).toEqual(['A', 'B'])
    expect(await poll('ta=one,two')).toEqual(['A'])
    const { status, text } = await ask('t/json?poll=1&p=9', appHeaders(device))
    expect([status, JSON.parse(text).code]).toEqual([400, 40007])
  })

  test('poll=1&id=…: the body is exactly one document, as the iPhone needs it', async () => {
    const { user, device } = await withApp()
    await send(user, { title: 'before' })
    const { id } = (await send(user, { title: 'wanted' })).body
    await app.post('/notifications/read', { ids: [id] }, user.token)
    const wanted = (await pollNtfy(app, device, 'inbox/json?poll=1')).find(({ title }) => title === 'wanted')
    const { text } = await ask(`inbox/json?poll=1&id=${wanted.id}`, appHeaders(device))
    expect(JSON.parse(text)).toEqual(wanted)
  })
})

describe('topics', () => {
  test('inbox is everything, a source is its slug, others are empty', async () => {
    const { user, device } = await withApp()
    await send(user, { title: '1', source: 'Nächtliche Sicherung!' })
    await send(user, { title: '2', source: 'ci' })
    await send(user, { title: '3' })
    const poll = async (topics: string) =>
      (await pollNtfy(app, device, `${topics}/json?poll=1`)).map(({ title, topic }) => `${title} ${topic}`)
    expect(await poll('inbox')).toEqual(['1 inbox', '2 inbox', '3 inbox'])
    expect(await poll('nachtliche-sicherung')).toEqual(['1 nachtliche-sicherung'])
    expect(await poll('ci,inbox')).toEqual(['1 inbox', '2 ci', '3 inbox'])
    expect(await poll('unknown')).toEqual([])
    expect((await ask('a,b*/json?poll=1', appHeaders(device))).status).toBe(404)
  })

  test('a message that came from ntfy is given back unchanged', async () => {
    const { user, device } = await withApp()
    const headers = {
      'x-title': 'Title',
      'x-priority': '4',
      'x-tags': 'warning,disk',
      'x-click': 'https://a.example',
      'x-actions': 'broadcast, Take picture, extras.cmd=pic; copy, Copy, 123',
      'x-sequence-id': 'disk',
      'x-markdown': 'yes',
    }
    const sent = await publish(user, 'alerts', headers, '**full**')
    const [received] = await pollNtfy(app, device, 'alerts/json?poll=1')
    expect(received).toEqual({ ...sent, id: expect.any(String), expires: expect.any(Number) })
  })

  test('push false makes a message without a sound', async () => {
    const { user, device } = await withApp()
    await send(user, { push: false, level: 'critical' })
    expect((await pollNtfy(app, device, 'inbox/json?poll=1'))[0]).toMatchObject({ priority: 1 })
  })
})

describe('who may subscribe', () => {
  test('403 without a password, for keys, full-access tokens and apps of another service', async () => {
    const { user } = await withApp()
    const gotify = await addApp(app, user, 'gotify')
    for (const token of [user.token, user.defaultKey, gotify.password]) {
      const { status, text } = await ask('inbox/json?poll=1', { authorization: `Bearer ${token}` })
      expect([status, JSON.parse(text).code]).toEqual([403, 40301])
    }
    expect((await ask('inbox/json?poll=1')).status).toBe(403)
  })

  test('an app reads nothing of another account, and publishes and changes nothing', async () => {
    const { user, device } = await withApp()
    const { device: foreign } = await withApp()
    await send(user, {})
    expect(await pollNtfy(app, foreign, 'inbox/json?poll=1')).toEqual([])
    for (const [method, path] of [
      ['POST', 'inbox'],
      ['DELETE', 'inbox/n00000000001'],
      ['PUT', 'inbox/n00000000001/clear'],
    ] as const) {
      expect((await ask(path, appHeaders(device), { method, body: method === 'POST' ? 'x' : undefined })).status).toBe(
        403,
      )
    }
  })
})

test('Home Assistant: account with all counts, token, version, auth and stream', async () => {
  const { user, device } = await withApp()
  const account = JSON.parse((await ask('v1/account', appHeaders(device))).text)
  expect(account.username).toBe(user.name)
  expect(Object.values(account.stats).every(Number.isInteger)).toBe(true)
  expect(Object.keys(account.stats)).toHaveLength(10)
  const { text } = await ask('v1/account/token', appHeaders(device), {
    method: 'POST',
    body: '{"label":"Home Assistant"}',
  })
  const { token } = JSON.parse(text)
  const bearer = { authorization: `Bearer ${token}` }
  expect(JSON.parse((await ask('v1/version', bearer)).text).code).toBe(40101)
  expect(JSON.parse((await ask('inbox/auth', bearer)).text)).toEqual({ success: true })
  expect((await ask('inbox/json?poll=1', bearer)).status).toBe(200)
  expect((await ask('v1/health')).text).toBe('{"healthy":true}\n')
  expect(JSON.parse((await ask('v1/config')).text)).toMatchObject({ base_url: `${app.url}/ntfy` })
})

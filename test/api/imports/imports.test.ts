// Moving from ntfy and Gotify: senders keep working with their old tokens, apps too, and old messages are in the inbox. A second run
// brings nothing twice, and nothing is sent.
import { describe, expect, test } from 'vitest'
import { createToken, requireUserByName } from '../../../src/operations/accounts/accounts.ts'
import { importFromGotify, importFromNtfy } from '../../../src/operations/imports/import.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { useTestApp } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import {
  gotifyDatabase,
  gotifyOnPostgres,
  ntfyCache,
  ntfyOnPostgres,
  ntfyUsers,
  version3Token,
} from './foreign-databases.ts'

const app = useTestApp()
const ctx = () => app.app.ctx
const OPTIONS = { plan: 'paid', isDryRun: false }

const unique = () => Math.random().toString(36).slice(2).padEnd(14, '0').slice(0, 14)
const ntfyToken = () => `tk_${unique()}${unique()}x`.slice(0, 32)
const seconds = (text: string) => Date.parse(text) / 1000
const tokenOf = async (name: string) => createToken(ctx(), (await requireUserByName(ctx(), name)).id, 'hla')
const inbox = async (name: string) => (await app.get('/notifications', await tokenOf(name))).body.items
const publish = (token: string, topic: string, body: string) =>
  app.call('POST', `/ntfy/${topic}`, {
    raw: body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
  })

function ntfyServer(name: string) {
  const [id, other, token] = [`u_${unique()}`, `u_${unique()}`, ntfyToken()]
  const [expired, powerless] = [ntfyToken(), ntfyToken()]
  const users = ntfyUsers(
    [
      { id, user: name },
      { id: other, user: `${name}-reader` },
    ],
    [
      { user_id: id, token, label: 'backup script', last_access: 0, expires: 0 },
      { user_id: id, token: expired, label: 'old', last_access: 0, expires: 1000 },
      { user_id: other, token: powerless, label: '', last_access: 0, expires: 0 },
    ],
    [
      { user_id: id, topic: 'backup', read: 1, write: 1 },
      { user_id: other, topic: 'backup', read: 1, write: 0 },
    ],
  )
  const sent = { topic: 'backup', user: id, time: seconds('2026-11-10T07:00:00Z') }
  const cache = ntfyCache([
    { ...sent, mid: unique(), title: 'Nightly', message: 'went well', priority: 4, tags: 'warning,nas' },
    { ...sent, mid: unique(), message: 'second', time: seconds('2026-11-11T07:00:00Z'), click: 'https://example.org/' },
    { ...sent, mid: unique(), message: 'of a stranger', user: '' },
    { ...sent, mid: unique(), message: 'later', published: 0, time: seconds('2026-12-24T07:00:00Z') },
    { ...sent, mid: unique(), message: 'old', time: seconds('2025-01-01T07:00:00Z') },
    { ...sent, mid: unique(), message: 'of a clock that is ahead', time: seconds('2030-01-01T07:00:00Z') },
  ])
  return { users, cache, token, expired, powerless }
}

describe('heliograph import ntfy', () => {
  test('a dry run says what would be brought and what cannot, and writes nothing', async () => {
    const { users, cache, token } = ntfyServer('dora')
    const report = await importFromNtfy(ctx(), [users, cache], { ...OPTIONS, isDryRun: true })
    expect(report).toMatchObject({
      accounts: { brought: 2, known: 0 },
      keys: { brought: 1, known: 0 },
      messages: { brought: 2, known: 0 },
    })
    const losses = report.losses.map(({ what, count, why }) => `${count} ${what}: ${why}`)
    expect(losses).toContainEqual(expect.stringMatching(/^2 passwords: only their hashes/))
    expect(losses).toContainEqual(expect.stringMatching(/^1 messages for later: /))
    expect(losses).toContainEqual(expect.stringMatching(/^1 messages: they were sent without a user; --into NAME/))
    expect(losses).toContainEqual(expect.stringMatching(/^1 messages: they are older than 90 days/))
    expect(losses).toContainEqual(expect.stringMatching(/^1 messages: their time lies in the future/))
    expect((await publish(token, 'backup', 'x')).status).toBe(401)
    await expect(tokenOf('dora')).rejects.toThrow(/no user named/)
  })

  test('an old token publishes unchanged, and only what it could do', async () => {
    const { users, cache, token, expired, powerless } = ntfyServer('emil')
    await importFromNtfy(ctx(), [users, cache], OPTIONS)
    const published = await publish(token, 'backup', 'done')
    expect([published.status, published.body]).toMatchObject([200, { topic: 'backup', message: 'done' }])
    expect((await inbox('emil'))[0]).toMatchObject({ title: 'backup', body: 'done', source: 'backup' })
    for (const useless of [expired, powerless]) expect((await publish(useless, 'backup', 'x')).status).toBe(401)
    expect((await app.get('/notifications', token)).status).toBe(401)
    expect((await app.get('/integrations/keys', token)).status).toBe(401)
    const keys = (await app.get('/integrations/keys', await tokenOf('emil'))).body
    const brought = keys.find((key: { name: string }) => key.name === 'backup script')
    expect(brought.permissions).toEqual({
      activities: 'none',
      notifications: 'schedule',
      widgets: 'none',
      emails: 'none',
    })
  })

  test('messages are read entries with their time, and nothing is pushed or told', async () => {
    const { users, cache } = ntfyServer('fred')
    const before = await app.runDueJobs()
    await importFromNtfy(ctx(), [users, cache], OPTIONS)
    expect(await inbox('fred')).toMatchObject([
      {
        title: 'backup',
        body: 'second',
        url: 'https://example.org/',
        created_at: '2026-11-11T07:00:00.000Z',
        pushed: false,
      },
      { title: '⚠️ Nightly', body: 'went well', level: 'time-sensitive', created_at: '2026-11-10T07:00:00.000Z' },
    ])
    expect((await app.get('/notifications/unread-count', await tokenOf('fred'))).body).toMatchObject({ count: 0 })
    expect([before, await app.runDueJobs()]).toEqual([0, 0])
    expect((await app.get('/auth/me', await tokenOf('fred'))).body.notifications_used).toBe(0)
    // They count against the size of the inbox.
    const { id } = await requireUserByName(ctx(), 'fred')
    const size = await ctx().db.read.first<{ counted: number; stored: number }>(sql`select inbox_bytes as counted,
        (select cast(sum(bytes) as bigint) from notifications where user_id = ${id}) as stored
      from feeds where user_id = ${id}`)
    expect(size?.counted).toBe(size?.stored)
    expect(size?.counted).toBeGreaterThan(0)
  })

  test('an account has the name as its nickname, and a token ends when it would have ended there', async () => {
    const [id, token] = [`u_${unique()}`, ntfyToken()]
    const expires = Math.floor(app.clock.now() / 1000) + 3600
    const users = ntfyUsers(
      [{ id, user: 'hugo' }],
      [{ user_id: id, token, label: 'for an hour', last_access: 0, expires }],
      [{ user_id: id, topic: 't', read: 1, write: 1 }],
    )
    await importFromNtfy(ctx(), [users], OPTIONS)
    const owner = await tokenOf('hugo')
    expect((await app.get('/auth/me', owner)).body.nickname).toBe('hugo')
    const keys = (await app.get('/integrations/keys', owner)).body
    const expires_at = new Date(expires * 1000).toISOString()
    expect(keys).toContainEqual(expect.objectContaining({ name: 'for an hour', expires_at }))
  })

  test('Markdown, files and sequences are kept; binary messages, notes and topics without a name are not', async () => {
    const user = await app.addUser()
    const sent = { topic: 'backup', time: seconds('2026-11-10T07:00:00Z'), message: 'x' }
    const cache = ntfyCache([
      {
        ...sent,
        ...{ mid: unique(), message: '**done**', content_type: 'text/markdown', sequence_id: 'nightly' },
        ...{ attachment_name: 'log.pdf', attachment_type: 'application/pdf', attachment_size: 2048 },
        ...{ attachment_url: 'https://ntfy.example/file/log.pdf', attachment_expires: 1 },
      },
      { ...sent, mid: unique(), encoding: 'base64' },
      { ...sent, mid: unique(), event: 'message_delete' },
      { ...sent, mid: unique(), topic: 'no topic' },
    ])
    const { losses, messages } = await importFromNtfy(ctx(), [cache], { ...OPTIONS, into: user.name })
    expect(messages.brought).toBe(1)
    expect(losses.map(({ what, count }) => [count, what])).toEqual([
      [3, 'messages'],
      [1, 'attached files'],
    ])
    const [brought] = await inbox(user.name)
    expect(brought).toMatchObject({ body: '**done**', format: 'markdown' })
    expect(brought.actions).toMatchObject([{ title: 'Open log.pdf', url: 'https://ntfy.example/file/log.pdf' }])
    expect((await app.call('DELETE', '/ntfy/backup/nightly', { token: user.token })).status).toBe(200)
    expect(await inbox(user.name)).toEqual([])
  })

  test('a second run brings what is new and nothing twice', async () => {
    const { users, cache } = ntfyServer('gina')
    await importFromNtfy(ctx(), [users], OPTIONS)
    const continued = await importFromNtfy(ctx(), [users, cache], OPTIONS)
    expect(continued).toMatchObject({
      accounts: { known: 2 },
      keys: { brought: 0, known: 1 },
      messages: { brought: 2 },
    })
    const foreseen = await importFromNtfy(ctx(), [users, cache], { ...OPTIONS, isDryRun: true })
    expect(foreseen).toMatchObject({ messages: { brought: 0, known: 2 } })
    const again = await importFromNtfy(ctx(), [users, cache], OPTIONS)
    expect(again).toMatchObject({ keys: { brought: 0, known: 1 }, messages: { brought: 0, known: 2 } })
    expect(await inbox('gina')).toHaveLength(2)
  })

  test('--into puts everything into one account, also messages without a user', async () => {
    const user = await app.addUser()
    const { cache, users, token } = ntfyServer(`x-${unique()}`)
    const report = await importFromNtfy(ctx(), [cache, users], { ...OPTIONS, into: user.name })
    expect(report).toMatchObject({ accounts: { brought: 0 }, keys: { brought: 1 }, messages: { brought: 3 } })
    expect((await publish(token, 'backup', 'here')).status).toBe(200)
    expect(await inbox(user.name)).toHaveLength(4)
  })

  test('the report says what to give where messages have users that are in no database given', async () => {
    const { cache } = ntfyServer('nora')
    const { losses } = await importFromNtfy(ctx(), [cache], { ...OPTIONS, isDryRun: true })
    const found = losses.map(({ what, count, why }) => `${count} ${what}: ${why}`)
    expect(found).toContainEqual(expect.stringMatching(/^4 messages: the database of the users is not given; give it/))
  })

  test.skipIf(!isPostgres())('one database of PostgreSQL is read like the two files', async () => {
    const { users, cache, token } = ntfyServer('olga')
    const address = await ntfyOnPostgres(users, cache)
    const dryRun = { ...OPTIONS, isDryRun: true }
    const foreseen = await importFromNtfy(ctx(), [address], dryRun)
    expect(foreseen).toEqual(await importFromNtfy(ctx(), [users, cache], dryRun))
    expect(await importFromNtfy(ctx(), [address], OPTIONS)).toMatchObject({
      keys: { brought: 1 },
      messages: { brought: 2 },
    })
    expect((await publish(token, 'backup', 'x')).status).toBe(200)
    expect((await inbox('olga'))[1]).toMatchObject({ body: 'second', created_at: '2026-11-11T07:00:00.000Z' })
    expect(await importFromNtfy(ctx(), [users, cache], OPTIONS)).toMatchObject({ messages: { brought: 0, known: 2 } })
    await expect(importFromGotify(ctx(), address, OPTIONS)).rejects.toThrow(
      /^127\.0\.0\.1:\d+ is not the database of Gotify/,
    )
  })

  test('a file that is no database of ntfy is refused', async () => {
    const gotify = gotifyServer('nobody').file
    await expect(importFromNtfy(ctx(), [gotify], OPTIONS)).rejects.toThrow(
      /gotify\.db is neither the user database nor the cache of ntfy/,
    )
    await expect(
      importFromGotify(ctx(), ntfyCache([{ mid: 'a', topic: 't', message: 'm', time: 1 }]), OPTIONS),
    ).rejects.toThrow(/is not the database of Gotify/)
    await expect(importFromGotify(ctx(), import.meta.filename, OPTIONS)).rejects.toThrow(
      /cannot be read as a SQLite database/,
    )
    await expect(importFromGotify(ctx(), '/no/such.db', OPTIONS)).rejects.toThrow(/^there is no file \/no\/such\.db$/)
  })
})

function gotifyServer(name: string, [appToken, clientToken] = [`A${unique()}`, `C${unique()}`]) {
  const file = gotifyDatabase({
    users: [{ id: 1, name, pass: Buffer.from('hash'), admin: 1 }],
    applications: [
      { id: 1, token: appToken, user_id: 1, name: 'Backup Server', image: '', default_priority: 0 },
      { id: 2, token: 'gtfy_app.hashed', user_id: 1, name: 'New one', image: 'x.png', default_priority: 8 },
    ],
    clients: [
      { id: 1, token: clientToken, user_id: 1, name: 'Pixel', last_used: '2026-11-14 20:00:00.123456789+01:00' },
      { id: 2, token: `C${unique()}`, user_id: 1, name: 'Firefox', last_used: '2026-01-01 00:00:00+00:00' },
    ],
    messages: [
      {
        ...{
          id: 7,
          application_id: 1,
          title: 'Backup',
          message: '**done**',
          priority: 8,
          date: '2026-11-12 09:30:00.5+01:00',
        },
        extras: Buffer.from('{"client::display":{"contentType":"text/markdown"}}'),
      },
      {
        id: 8,
        application_id: 2,
        title: '',
        message: 'hello',
        priority: 1,
        extras: null,
        date: '2026-11-13 08:00:00+00:00',
      },
    ],
  })
  return { file, appToken, clientToken }
}

describe('heliograph import gotify', () => {
  test('an old application token and an old client token work unchanged', async () => {
    const { file, appToken, clientToken } = gotifyServer('hana')
    const report = await importFromGotify(ctx(), file, OPTIONS)
    expect(report).toMatchObject({ keys: { brought: 1 }, apps: { brought: 1 }, messages: { brought: 2 } })
    const sent = await app.post(`/gotify/message?token=${appToken}`, { title: 'New', message: 'from the old sender' })
    expect([sent.status, sent.body]).toMatchObject([200, { title: 'New' }])
    const read = await app.call('GET', '/gotify/message', { headers: { 'x-gotify-key': clientToken } })
    const [newest, hello, backup] = read.body.messages
    expect(newest).toMatchObject({ title: 'New', appid: backup.appid })
    expect(backup).toMatchObject({
      title: 'Backup',
      message: '**done**',
      priority: 8,
      extras: { 'client::display': {} },
    })
    expect(hello).toMatchObject({ title: 'New one', message: 'hello' })
    expect((await app.post(`/gotify/message?token=${clientToken}x`, { message: 'x' })).status).toBe(401)
    expect((await app.get('/notifications', appToken)).status).toBe(401)
  })

  test('tokens of Gotify 3 work unchanged; their public form, which its database has, does not', async () => {
    const [sender, receiver] = [version3Token('a'), version3Token('c')]
    const { file } = gotifyServer('greta', [sender.stored, receiver.stored])
    expect(await importFromGotify(ctx(), file, OPTIONS)).toMatchObject({ keys: { brought: 1 }, apps: { brought: 1 } })
    const send = (token: string) => app.post(`/gotify/message?token=${token}`, { title: 'Seed', message: 'derived' })
    expect((await send(sender.token)).status).toBe(200)
    const read = (token: string) => app.call('GET', '/gotify/message', { headers: { 'x-gotify-key': token } })
    expect((await read(receiver.token)).body.messages[0]).toMatchObject({ title: 'Seed' })
    for (const useless of [sender.stored, receiver.token, version3Token('a').token, `${sender.token}A`])
      expect((await send(useless)).status).not.toBe(200)
    for (const useless of [receiver.stored, sender.token]) expect((await read(useless)).status).not.toBe(200)
    expect(await importFromGotify(ctx(), file, OPTIONS)).toMatchObject({ keys: { known: 1 }, apps: { known: 1 } })
  })

  test.skipIf(!isPostgres())('a database of PostgreSQL is read like the file', async () => {
    const { file, appToken } = gotifyServer('petra')
    const address = await gotifyOnPostgres(file)
    const foreseen = await importFromGotify(ctx(), address, { ...OPTIONS, isDryRun: true })
    expect(foreseen).toEqual(await importFromGotify(ctx(), file, { ...OPTIONS, isDryRun: true }))
    const report = await importFromGotify(ctx(), address, OPTIONS)
    expect(report).toMatchObject({ keys: { brought: 1 }, apps: { brought: 1 }, messages: { brought: 2 } })
    expect((await app.post(`/gotify/message?token=${appToken}`, { message: 'x' })).status).toBe(200)
    const times = (await inbox('petra')).map((entry: { created_at: string }) => entry.created_at)
    expect(times.slice(1)).toEqual(['2026-11-13T08:00:00.000Z', '2026-11-12T08:30:00.500Z'])
    expect(await importFromGotify(ctx(), file, OPTIONS)).toMatchObject({ messages: { brought: 0, known: 2 } })
    const empty = address.replace(/[^/]*$/, 'postgres')
    await expect(importFromGotify(ctx(), empty, OPTIONS)).rejects.toThrow(/^127\.0\.0\.1:\d+ is not the database/)
    await expect(importFromGotify(ctx(), 'postgres://a:secret@127.0.0.1:1/b', OPTIONS)).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:1 cannot be read \((?!.*secret)/,
    )
  })

  test('tokens that are stored in another form, and apps that nobody uses, are named in the report', async () => {
    const { file } = gotifyServer('ivan')
    const { losses } = await importFromGotify(ctx(), file, OPTIONS)
    const found = losses.map(({ what, count, why }) => `${count} ${what}: ${why}`)
    expect(found).toContainEqual(expect.stringMatching(/^1 tokens that send: the database does not have them in clear/))
    expect(found).toContainEqual(expect.stringMatching(/^1 apps: they were not used for 90 days/))
    expect(found).toContainEqual(expect.stringMatching(/^1 default priorities of applications/))
  })

  test('where there is no room for all apps, those that were used last are brought, as a dry run says', async () => {
    const clients = [2, 4, 1, 3].map((day) => ({
      ...{ id: day, token: `C${unique()}`, user_id: 1, name: `used on day ${day}` },
      last_used: `2026-11-0${day} 08:00:00+00:00`,
    }))
    const file = gotifyDatabase({
      users: [{ id: 1, name: 'lisa' }],
      applications: [{ id: 1, token: 'of another form', user_id: 1, name: 'x' }],
      clients,
      messages: [{ id: 1, application_id: 99, message: '', title: '', priority: 0, extras: null, date: '' }],
    })
    for (const isDryRun of [true, false]) {
      const report = await importFromGotify(ctx(), file, { plan: 'free', isDryRun })
      expect(report.apps.brought).toBe(3)
      expect(report.losses.find(({ what }) => what === 'apps')?.count).toBe(1)
    }
    const { items } = (await app.get('/devices', await tokenOf('lisa'))).body
    expect(items.map(({ name }: { name: string }) => name).sort()).toEqual([
      'used on day 2',
      'used on day 3',
      'used on day 4',
    ])
  })

  test('a second run brings nothing twice; a plan without room is named in the report', async () => {
    const { file } = gotifyServer('jana')
    await importFromGotify(ctx(), file, OPTIONS)
    expect(await importFromGotify(ctx(), file, OPTIONS)).toMatchObject({
      accounts: { brought: 0, known: 1 },
      keys: { brought: 0, known: 1 },
      apps: { brought: 0, known: 1 },
      messages: { brought: 0, known: 2 },
    })
    expect(await inbox('jana')).toHaveLength(2)
    const crowded = gotifyDatabase({
      users: [{ id: 1, name: 'karl' }],
      applications: Array.from({ length: 26 }, (_, id) => ({
        id,
        token: `A${unique()}`,
        user_id: 1,
        name: `app ${id}`,
      })),
      clients: [{ id: 1, token: '', user_id: 9, name: '' }],
      messages: [{ id: 1, application_id: 99, message: '', title: '', priority: 0, extras: null, date: '' }],
    })
    const full = await importFromGotify(ctx(), crowded, OPTIONS)
    expect(full.keys.brought).toBe(24)
    expect(full.losses).toContainEqual({
      what: 'tokens that send',
      why: expect.stringContaining('at most 25 keys'),
      count: 2,
    })
  })
})

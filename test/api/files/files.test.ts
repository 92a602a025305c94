// Files that senders upload, here through the door for ntfy: how they are kept, read and deleted.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FILE_ID_CHARS, type FileId } from '../../../src/domain/files.ts'
import { plusSeconds } from '../../../src/domain/instant.ts'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { randomText } from '../../../src/runtime/ids.ts'
import { listBackupTables } from '../../../src/store/backup/tables.ts'
import type { Writer } from '../../../src/store/engine/database.ts'
import { sql } from '../../../src/store/engine/sql.ts'
import { insertIncompleteFile } from '../../../src/store/files/files.ts'
import { startTestApp, type TestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { isPostgres, sqliteSuffices } from '../../support/database/database.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { openSocket } from '../../support/raw-http.ts'
import { setUsed } from '../../support/usage.ts'
import { askNtfy, headersFor, newestOf } from '../doors/ntfy/client.ts'

const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://push.example.org', HELIOGRAPH_ATTACHMENT_MB: '1' })
const MEGABYTE = 1024 * 1024

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

type Sent = { status: number; code: unknown; attachment: Record<string, unknown>; path: string }

async function upload(
  on: TestApp,
  user: TestUser,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Sent> {
  const init = { headers: headersFor(user, headers), body, duplex: 'half' } as RequestInit
  const { status, body: answer } = await askNtfy(on, 'PUT', '/backups', init)
  const attachment = (answer.attachment ?? {}) as Record<string, unknown>
  return { status, code: answer.code, attachment, path: String(attachment.url).replace(/^https?:\/\/[^/]+/, '') }
}

const read = (on: TestApp, path: string, init?: RequestInit) => fetch(`${on.url}${path}`, init)

// As ntfy's senders see it, in bytes.
async function usedBytes(user: TestUser): Promise<number> {
  const { body } = await askNtfy(app, 'GET', '/v1/account', { headers: headersFor(user) })
  return (body.stats as { attachment_total_size: number }).attachment_total_size
}

const rows = async (on: TestApp, user: TestUser) =>
  (await on.app.ctx.db.read.all(sql`select id from files where user_id = ${user.userId}`)).length

// As at the beginning of an upload.
const insertRow = (tx: Writer, { userId }: TestUser, id: FileId, bytes = 9, now = app.clock.now()) =>
  insertIncompleteFile(tx, {
    id,
    userId,
    keyId: null,
    name: '',
    type: 'application/octet-stream',
    bytes,
    createdAt: now,
    expiresAt: plusSeconds(now, 86_400),
  })

const insertRows = (user: TestUser, count: number, bytes?: number) =>
  app.app.ctx.db.transact(async (tx) => {
    const ids = Array.from({ length: count }, () => randomText(FILE_ID_CHARS) as FileId)
    for (const id of ids) await insertRow(tx, user, id, bytes)
  })

async function housekeep(on: TestApp): Promise<void> {
  await scheduleHousekeeping(on.app.ctx)
  await on.runDueJobs()
}

// Contents of more than one chunk, each byte telling its place.
const contentOf = (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => (index * 7 + (index >> 8)) % 251)

// toEqual takes seconds for so many numbers.
const equals = (received: ArrayBuffer) => (content: Uint8Array) => Buffer.from(received).equals(content)

describe('an upload', () => {
  test('200 becomes an attachment that anyone with the link reads', async () => {
    const user = await app.addUser()
    const content = contentOf(500_000)
    const sent = await upload(app, user, content, { Filename: 'dump "ü".bin' })
    expect(sent.attachment).toEqual({
      name: 'dump "ü".bin',
      type: 'application/octet-stream',
      size: 500_000,
      expires: Math.floor(app.clock.now() / 1000) + 86_400,
      url: expect.stringMatching(/^https:\/\/push\.example\.org\/files\/[A-Za-z0-9]{32}$/),
    })
    const { title, body, actions } = await newestOf(app, user)
    expect({ title, body }).toEqual({ title: 'backups', body: 'You received a file: dump "ü".bin' })
    expect(actions).toMatchObject([{ id: 'attachment', url: sent.attachment.url, foreground: true }])
    const file = await read(app, sent.path)
    expect(file.status).toBe(200)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '500000',
      'content-disposition': `attachment; filename="dump ___.bin"; filename*=UTF-8''dump%20%22%C3%BC%22.bin`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      // Shown in pages of others, and kept by no proxy.
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=3600',
      'referrer-policy': 'no-referrer',
      'accept-ranges': 'bytes',
    })
    expect(content).toSatisfy(equals(await file.arrayBuffer()))
  })

  test('200 with a picture: it is the media of the notification, and browsers show it', async () => {
    const user = await app.addUser()
    const sent = await upload(app, user, PNG, { Filename: 'cat.html', Message: 'Look' })
    expect(await newestOf(app, user)).toMatchObject({
      body: 'Look',
      media_url: sent.attachment.url,
      media_type: 'image',
    })
    const file = await read(app, sent.path)
    expect(file.headers.get('content-type')).toBe('image/png')
    expect(file.headers.get('content-disposition')).toMatch(/^inline;/)
  })

  test('200 with a picture on a server without https: a link', async () => {
    const plain = await startTestApp()
    onTestFinished(() => plain.stop())
    const user = await plain.addUser()
    const sent = await upload(plain, user, PNG, { Filename: 'cat.png' })
    expect(sent.attachment.url).toMatch(/^http:\/\/127/)
    const notification = await newestOf(plain, user)
    expect(notification).not.toHaveProperty('media_url')
    expect(notification.actions).toMatchObject([{ title: 'Open cat.png', url: sent.attachment.url }])
  })

  test('200 with a page that calls itself a picture: it is a download', async () => {
    const user = await app.addUser()
    const page = '<html><script>alert(1)</script>'
    const sent = await upload(app, user, page, { Filename: 'cat.png', 'Content-Type': 'image/png' })
    const file = await read(app, sent.path)
    expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  test('200 with a name that is a path or breaks lines: the last part, in one line', async () => {
    const user = await app.addUser()
    const { attachment } = await upload(app, user, 'x', { Filename: '../../etc/passwd' })
    expect(attachment.name).toBe('passwd')
    const named = await upload(app, user, 'x', { Filename: '..' })
    expect(named.attachment.name).toBe('attachment.txt')
  })

  test('413 for one byte too many, announced or not; nothing is kept', async () => {
    const user = await app.addUser()
    const streamed = () => new Blob([contentOf(MEGABYTE + 1)]).stream()
    for (const body of [contentOf(MEGABYTE + 1), streamed()]) {
      expect(await upload(app, user, body)).toMatchObject({ status: 413, code: 41301 })
    }
    expect([await rows(app, user), await usedBytes(user)]).toEqual([0, 0])
    expect((await upload(app, user, contentOf(MEGABYTE))).status).toBe(200)
  })

  test('413 when the account has ten times the largest file, or a hundred files', async () => {
    const user = await app.addUser()
    await insertRows(user, 9, MEGABYTE)
    expect((await upload(app, user, contentOf(MEGABYTE))).status).toBe(200)
    expect(await usedBytes(user)).toBe(10 * MEGABYTE)
    expect(await upload(app, user, contentOf(5000))).toMatchObject({ status: 413, code: 41301 })
    const other = await app.addUser()
    await insertRows(other, 98)
    const sent = await Promise.all(Array.from({ length: 5 }, () => upload(app, other, 'x', { Filename: 'x' })))
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413, 413])
    expect(await rows(app, other)).toBe(100)
  })

  test('400 for a file that expires before it is sent, 429 without quota, 403 without permission; nothing is kept', async () => {
    const user = await app.addUser('free')
    const late = await upload(app, user, 'x', { Filename: 'x', Delay: '2 days' })
    expect(late).toMatchObject({ status: 400, code: 40015 })
    await setUsed(app, user, 'notifications', 500)
    expect(await upload(app, user, 'x', { Filename: 'x' })).toMatchObject({ status: 429, code: 42908 })
    const defaultKey = await app.addKey(user, { permissions: { widgets: 'write' } })
    expect((await upload(app, { ...user, defaultKey }, contentOf(MEGABYTE))).status).toBe(403)
    expect(await rows(app, user)).toBe(0)
  })

  test('400 when the operator has switched uploads off', async () => {
    const closed = await startTestApp({ HELIOGRAPH_ATTACHMENT_MB: '0' })
    onTestFinished(() => closed.stop())
    const user = await closed.addUser()
    const bodies = ['x'.repeat(4097), new Uint8Array([255, 254])]
    for (const body of bodies) expect(await upload(closed, user, body)).toMatchObject({ status: 400, code: 40014 })
  })
})

describe.skipIf(sqliteSuffices())('GET and HEAD /files/{id}', () => {
  test('200 for HEAD without the content', async () => {
    const user = await app.addUser()
    const { path } = await upload(app, user, contentOf(300_000))
    const head = await read(app, path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000'])
  })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=196000-197000', 196_000, 197_001],
    ['bytes=299999-', 299_999, 300_000],
    ['bytes=100-999999', 100, 300_000],
    ['bytes=-5', 299_995, 300_000],
  ])('206 for %s', async (range, start, end) => {
    const user = await app.addUser()
    const content = contentOf(300_000)
    const { path } = await upload(app, user, content)
    const part = await read(app, path, { headers: { range } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end - 1}/300000`])
    expect(content.slice(start, end)).toSatisfy(equals(await part.arrayBuffer()))
  })

  test('416 for bytes that the file does not have, 200 for ranges that we do not read', async () => {
    const user = await app.addUser()
    const { path } = await upload(app, user, contentOf(10), { Filename: 'x' })
    const answerTo = async (range: string) => {
      const { status, headers } = await read(app, path, { headers: { range } })
      return [status, headers.get('content-range')]
    }
    for (const range of ['bytes=10-', 'bytes=-0']) expect(await answerTo(range)).toEqual([416, 'bytes */10'])
    for (const range of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-']) {
      expect(await answerTo(range)).toEqual([200, null])
    }
  })

  test('200 with an empty file', async () => {
    const user = await app.addUser()
    const { path } = await upload(app, user, '', { Filename: 'empty' })
    const file = await read(app, path)
    expect([file.status, await file.text()]).toEqual([200, ''])
  })

  test('404 for an unknown id, and for one that is none', async () => {
    for (const id of ['a'.repeat(32), 'short', '..%2Fheliograph.db']) {
      expectProblem(await app.get(`/files/${id}`), 404, 'file.not_found')
    }
  })

  test('200 at the root of the host name of a door', async () => {
    const named = await startTestApp({ HELIOGRAPH_NTFY_HOST: 'localhost' })
    onTestFinished(() => named.stop())
    const { port } = new URL(named.url)
    const user = await named.addUser()
    const init = { method: 'PUT', headers: headersFor(user, { Filename: 'x' }), body: 'content' }
    const { attachment } = (await (await fetch(`http://localhost:${port}/t`, init)).json()) as Sent
    expect(await (await fetch(String(attachment.url))).text()).toBe('content')
  })
})

describe('files are deleted', () => {
  test('a day after they were sent', async () => {
    const user = await app.addUser()
    const { path } = await upload(app, user, contentOf(5000))
    app.advanceSeconds(86_399)
    expect((await read(app, path)).status).toBe(200)
    app.advanceSeconds(1)
    expect((await read(app, path)).status).toBe(404)
    await housekeep(app)
    expect(await rows(app, user)).toBe(0)
  })

  test('with their account, contents included', async () => {
    const user = await app.addUser()
    const { path } = await upload(app, user, contentOf(5000))
    await removeUser(app.app.ctx, user.name)
    expect((await read(app, path)).status).toBe(404)
    expect(await contentsOf(app, path)).toBe(0)
  })

  test('when the sender disconnects during the upload', async () => {
    const user = await app.addUser()
    const socket = await openSocket(app.url)
    const head = `PUT /ntfy/t HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.defaultKey}\r\nContent-Length: 900000\r\n\r\n`
    socket.write(head + 'x'.repeat(400_000))
    await eventually(async () => expect(await rows(app, user)).toBe(1))
    socket.destroy()
    await eventually(async () => expect(await rows(app, user)).toBe(0))
  })

  test('by housekeeping, after a process died during the upload', async () => {
    const crashed = await startTestApp()
    onTestFinished(() => crashed.stop())
    const user = await crashed.addUser()
    const id = 'k'.repeat(32) as FileId
    await crashed.app.ctx.db.transact((tx) => insertRow(tx, user, id, 9, crashed.clock.now()))
    await crashed.app.ctx.fileContents.write(id, Readable.from([Buffer.from('half')]))
    await housekeep(crashed)
    expect(await rows(crashed, user)).toBe(1)
    crashed.advanceSeconds(601)
    await housekeep(crashed)
    expect([await rows(crashed, user), await contentsOf(crashed, `/files/${id}`)]).toEqual([0, 0])
  })

  test.skipIf(isPostgres())('by housekeeping, a content whose row is gone; other files stay', async () => {
    const own = await startTestApp()
    onTestFinished(() => own.stop())
    const user = await own.addUser()
    const { path } = await upload(own, user, contentOf(5000))
    const folder = join(own.app.ctx.config.dataDir, 'files')
    writeFileSync(join(folder, 'o'.repeat(32)), 'orphan')
    writeFileSync(join(folder, 'README'), 'of the operator')
    await housekeep(own)
    expect(readdirSync(folder).sort()).toEqual(['README', path.slice('/files/'.length)].sort())
  })
})

test('a backup holds no files, because they live for a day', async () => {
  const names = (await listBackupTables(app.app.ctx.db.read)).map(({ name }) => name)
  expect(names).toContain('users')
  expect(names.filter((name) => name.startsWith('file'))).toEqual([])
})

// How many contents there are for the file: in the folder, or as rows.
async function contentsOf(on: TestApp, path: string): Promise<number> {
  const id = path.slice('/files/'.length)
  if (!isPostgres()) return existsSync(join(on.app.ctx.config.dataDir, 'files', id)) ? 1 : 0
  return (await on.app.ctx.db.read.all(sql`select number from file_chunks where file_id = ${id}`)).length
}

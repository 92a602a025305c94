// Files through our own API: uploaded alone or with a notification, attached, shown on every kind of device, and deleted.
import { describe, expect, onTestFinished, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import { startTestApp, type TestUser } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { addApp, pollNtfy } from '../../support/devices/app-streams.ts'
import { addBarkPhone, useBarkApp } from '../../support/devices/bark-phone.ts'
import { addBrowser, addPhone } from '../../support/devices/phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { addGotifyDevice, logIn, request } from '../doors/gotify/phone.ts'

const app = useBarkApp({ HELIOGRAPH_PUBLIC_URL: 'https://push.example.org', HELIOGRAPH_ATTACHMENT_MB: '1' })

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const NOTIFICATION = { title: 'Camera', body: 'Somebody is at the door.' }

const fileCount = async ({ userId }: TestUser) =>
  (await app.app.ctx.db.read.all(sql`select id from files where user_id = ${userId}`)).length

const upload = (user: TestUser, query = '', token = user.token, raw: string | Uint8Array = PNG) =>
  app.call('POST', `/files${query}`, { token, raw, headers: { 'content-type': 'text/html' } })

const statusOf = async (url: string) => (await fetch(app.url + new URL(url).pathname)).status

type Send = {
  notification?: object
  files?: [name: string, content: string | Uint8Array<ArrayBuffer>][]
  headers?: Record<string, string>
}

// As a browser sends a form.
async function sendForm(user: TestUser, { notification = NOTIFICATION, files = [], headers = {} }: Send, query = '') {
  const form = new FormData()
  form.set('notification', JSON.stringify(notification))
  for (const [name, content] of files) form.append('file', new Blob([content]), name)
  const { headers: typed, body } = await encoded(form)
  return app.call('POST', `/notifications${query}`, { token: user.token, raw: body, headers: { ...typed, ...headers } })
}

async function encoded(form: FormData) {
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const type = request.headers.get('content-type') ?? ''
  return { headers: { 'content-type': type }, body: new Uint8Array(await request.arrayBuffer()) }
}

const PICTURE_AND_TEXT: Send['files'] = [
  ['door.png', PNG],
  ['log.txt', 'rang twice'],
]

describe('POST /files', () => {
  test('201: the type is read from the content, and the link is the permission', async () => {
    const user = await app.addUser()
    const { status, body } = await upload(user, '?name=door.html&keep_days=2')
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      url: `https://push.example.org/files/${body.id}`,
      name: 'door.html',
      type: 'image/png',
      bytes: PNG.length,
      expires_at: new Date(app.clock.now() + 2 * 86_400_000).toISOString().replace('.000Z', 'Z'),
    })
    expect(new Uint8Array(await (await fetch(`${app.url}/files/${body.id}`)).arrayBuffer())).toEqual(PNG)
  })

  test('a file is kept for a day on the free plan, and for seven on others', async () => {
    const days = []
    for (const plan of ['free', 'paid'] as const) {
      const { body } = await upload(await app.addUser(plan))
      days.push((Date.parse(body.expires_at) - app.clock.now()) / 86_400_000)
    }
    expect(days).toEqual([1, 7])
  })

  test('no file is kept for longer than the operator allows', async () => {
    const server = await startTestApp({ HELIOGRAPH_ATTACHMENT_DAYS: '3' })
    onTestFinished(() => server.stop())
    const { token } = await server.addUser('paid')
    const { body } = await server.call('POST', '/files', { token, raw: PNG })
    expect((Date.parse(body.expires_at) - server.clock.now()) / 86_400_000).toBe(3)
  })

  test('it is deleted when it expires', async () => {
    const { body } = await upload(await app.addUser(), '?keep_days=1')
    app.advanceSeconds(86_399)
    expect(await statusOf(body.url)).toBe(200)
    app.advanceSeconds(1)
    expect(await statusOf(body.url)).toBe(404)
  })

  test('422 for more days than the operator allows; 400 without a body; 413 for a large file', async () => {
    const user = await app.addUser()
    expect((await upload(user, '?keep_days=7')).status).toBe(201)
    expectProblem(await upload(user, '?keep_days=8'), 422, 'request.validation_failed')
    expectProblem(await upload(user, '?keep_days=0'), 422, 'request.validation_failed')
    expectProblem(await app.call('POST', '/files', { token: user.token }), 400, 'request.body_required')
    const large = new Uint8Array(1024 * 1024 + 1)
    expectProblem(await upload(user, '', user.token, large), 413, 'file.too_large')
    expect(await fileCount(user)).toBe(1)
  })

  test('409 for the file after the last one', async () => {
    const user = await app.addUser()
    for (let count = 0; count < 100; count++) expect((await upload(user)).status).toBe(201)
    expectProblem(await upload(user), 409, 'file.limit_exceeded')
    expectProblem(await sendForm(user, { files: PICTURE_AND_TEXT }), 409, 'file.limit_exceeded')
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('503 when the operator has switched uploads off, also for a form', async () => {
    const closed = await startTestApp({ HELIOGRAPH_ATTACHMENT_MB: '0' })
    onTestFinished(() => closed.stop())
    const user = await closed.addUser()
    expectProblem(await closed.call('POST', '/files', { token: user.token, raw: PNG }), 503, 'file.not_enabled')
    const form = new FormData()
    form.set('notification', JSON.stringify(NOTIFICATION))
    form.append('file', new Blob([PNG]), 'door.png')
    const { headers, body } = await encoded(form)
    const refused = await closed.call('POST', '/notifications', { token: user.token, raw: body, headers })
    expectProblem(refused, 503, 'file.not_enabled')
  })
})

describe('DELETE /files/{id}', () => {
  test('204 for the person and for the key that uploaded it; 404 for another key and another account', async () => {
    const user = await app.addUser()
    const permissions = { notifications: 'send' }
    const [own, foreign] = [await app.addKey(user, { permissions }), await app.addKey(user, { permissions })]
    const { body } = await upload(user, '', own)
    const other = await app.addUser()
    for (const token of [foreign, other.token]) {
      expectProblem(await app.del(`/files/${body.id}`, token), 404, 'file.not_found')
    }
    expect((await app.del(`/files/${body.id}`, own)).status).toBe(204)
    expect(await statusOf(body.url)).toBe(404)
    expectProblem(await app.del(`/files/${body.id}`, user.token), 404, 'file.not_found')
  })
})

describe('a notification with files', () => {
  test('201 as a form: the picture is its media, and both are shown on every kind of device', async () => {
    const user = await app.addUser()
    const bark = await addBarkPhone(app, user)
    const [browser, phone] = [await addBrowser(app, { app, user }), await addPhone(app, { app, user })]
    const [ntfy, gotify] = [await addApp(app, user), await logIn(app, await addGotifyDevice(app, user))]
    const { status, body } = await sendForm(user, { files: PICTURE_AND_TEXT })
    expect(status).toBe(201)
    const [picture, text] = body.attachments
    expect(body).toMatchObject({ media_url: picture.url, media_type: 'image' })
    expect(picture).toMatchObject({ name: 'door.png', type: 'image/png', bytes: PNG.length })
    expect(text).toMatchObject({ name: 'log.txt', type: 'text/plain; charset=utf-8', bytes: 10 })
    expect(await statusOf(text.url)).toBe(200)
    expect((await app.get(`/notifications/${body.id}`, user.token)).body.attachments).toEqual(body.attachments)
    const shown = {
      media: { url: picture.url },
      attachments: [{ url: picture.url }, { url: text.url, name: 'log.txt' }],
    }
    for (const device of [browser, phone]) expect((await device.pushes()).at(-1)).toMatchObject(shown)
    expect(bark.pushes()).toMatchObject([{ payload: { image: picture.url } }])
    const [message] = await pollNtfy(app, ntfy, 'inbox/json?poll=1&since=all')
    expect(message).toMatchObject({
      attachment: { name: 'door.png', type: 'image/png', size: PNG.length, url: picture.url },
      actions: [{ action: 'view', label: 'log.txt', url: text.url }],
    })
    const inGotify = await request(app, 'GET', '/message', { 'x-gotify-key': gotify })
    expect(inGotify.body.messages).toMatchObject([
      {
        message: expect.stringContaining(`[log.txt](${text.url})`),
        extras: { 'client::notification': { bigImageUrl: picture.url } },
      },
    ])
  })

  test('deleting it deletes its files at once', async () => {
    const user = await app.addUser()
    const { body } = await sendForm(user, { files: PICTURE_AND_TEXT })
    await app.del(`/notifications/${body.id}`, user.token)
    for (const { url } of body.attachments) expect(await statusOf(url)).toBe(404)
    expect(await fileCount(user)).toBe(0)
  })

  test('a refused one leaves no file, and neither does a dry run', async () => {
    const user = await app.addUser()
    const empty = await sendForm(user, { notification: { title: 'T' }, files: PICTURE_AND_TEXT })
    expectProblem(empty, 422, 'request.validation_failed')
    const five = Array.from({ length: 5 }, (): [string, typeof PNG] => ['door.png', PNG])
    expectProblem(await sendForm(user, { files: five }), 400, 'notification.invalid')
    const large: Send['files'] = [...PICTURE_AND_TEXT, ['large', new Uint8Array(1024 * 1024 + 1)]]
    expectProblem(await sendForm(user, { files: large }), 413, 'file.too_large')
    const rehearsed = await sendForm(user, { files: PICTURE_AND_TEXT }, '?dry_run=true')
    expect(rehearsed.body.would.resource.attachments).toMatchObject([{ type: 'image/png' }, { name: 'log.txt' }])
    expect(await fileCount(user)).toBe(0)
    expect((await app.get('/notifications', user.token)).body.items).toEqual([])
  })

  test('an Idempotency-Key covers the files: the same form is answered again, another file is refused', async () => {
    const user = await app.addUser()
    const headers = { 'idempotency-key': 'door-1' }
    const first = await sendForm(user, { files: PICTURE_AND_TEXT, headers })
    const again = await sendForm(user, { files: PICTURE_AND_TEXT, headers })
    expect([again.status, again.body]).toEqual([201, first.body])
    const other = await sendForm(user, {
      files: [
        ['door.png', PNG],
        ['log.txt', 'rang once'],
      ],
      headers,
    })
    expectProblem(other, 422, 'idempotency.key_reused')
    expect(await fileCount(user)).toBe(2)
    expect(await statusOf(first.body.attachments[0].url)).toBe(200)
  })

  test('a file by its id is attached once, also when two ask at the same time; a repeated request gets its answer', async () => {
    const user = await app.addUser()
    const file_id = (await upload(user)).body.id
    const send = (key: string) =>
      app.call('POST', '/notifications', {
        token: user.token,
        body: { ...NOTIFICATION, attachments: [{ file_id }] },
        headers: { 'idempotency-key': key },
      })
    const both = await Promise.all([send('one'), send('two')])
    const [sent, refused] = both.sort((one, other) => one.status - other.status)
    expect(sent?.status).toBe(201)
    expectProblem(refused as NonNullable<typeof refused>, 400, 'file.in_use')
    const statuses = [(await send('one')).status, (await send('two')).status].sort()
    expect(statuses).toEqual([201, 400])
  })

  test('400 for files that are not there, of another account, named twice, and for links without https', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const file_id = (await upload(user)).body.id
    const foreign = (await upload(other)).body.id
    const refused = [
      [{ file_id: 'a'.repeat(32) }],
      [{ file_id: foreign }],
      [{ file_id }, { file_id }],
      [{ url: 'http://example.org/a.png' }],
      [{}],
      [{ file_id, url: 'https://example.org/a.png' }],
    ]
    const five = Array.from({ length: 5 }, () => ({ url: 'https://example.org/a.png' }))
    const tooMany = await app.post('/notifications', { ...NOTIFICATION, attachments: five }, user.token)
    expectProblem(tooMany, 422, 'request.validation_failed')
    for (const attachments of refused) {
      const answer = await app.post('/notifications', { ...NOTIFICATION, attachments }, user.token)
      expectProblem(answer, 400, 'notification.invalid')
    }
  })

  test('a link elsewhere has the name and type of its end', async () => {
    const user = await app.addUser()
    const url = 'https://example.org/shots/door.jpeg?size=1'
    const { body } = await app.post('/notifications', { ...NOTIFICATION, attachments: [{ url }] }, user.token)
    expect(body.attachments).toEqual([{ url, name: 'door.jpeg', type: 'image/jpeg' }])
    expect(body.media_url).toBe(url)
    const media = { url: 'https://example.org/cover.png', type: 'image' }
    const named = await app.post('/notifications', { ...NOTIFICATION, media, attachments: [{ url }] }, user.token)
    expect(named.body.media_url).toBe(media.url)
  })
})

describe('a schedule with files', () => {
  const later = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString()
  const schedule = (user: TestUser, members: object) =>
    app.post('/notifications/scheduled', { ...NOTIFICATION, ...members }, user.token)

  test('201: they are attached to the notification when it is sent', async () => {
    const user = await app.addUser()
    const file_id = (await upload(user, '?name=door.png')).body.id
    const { status, body } = await schedule(user, { send_at: later(1), attachments: [{ file_id }] })
    expect(status).toBe(201)
    expect(body.attachments).toMatchObject([{ id: file_id, name: 'door.png' }])
    const taken = await app.post('/notifications', { ...NOTIFICATION, attachments: [{ file_id }] }, user.token)
    expectProblem(taken, 400, 'file.in_use')
    app.advanceSeconds(86_400)
    await app.runDueJobs()
    const [sent] = (await app.get('/notifications', user.token)).body.items
    expect(sent).toMatchObject({ attachments: body.attachments, media_type: 'image' })
    // From then on they are the notification's, whatever happens to the schedule.
    expect((await app.del(`/notifications/scheduled/${body.id}?purge=true`, user.token)).status).toBe(204)
    expect(await fileCount(user)).toBe(1)
    await app.del(`/notifications/${sent.id}`, user.token)
    expect(await fileCount(user)).toBe(0)
  })

  test('sent late, it leaves out a file that was deleted meanwhile', async () => {
    const user = await app.addUser()
    const file_id = (await upload(user, '?name=door.png&keep_days=2')).body.id
    const link = { url: 'https://example.org/report.pdf' }
    await schedule(user, { send_at: later(1), attachments: [{ file_id }, link] })
    // No job runs in these three days.
    app.advanceSeconds(3 * 86_400)
    await app.runDueJobs()
    const [sent] = (await app.get('/notifications', user.token)).body.items
    expect(sent.attachments).toMatchObject([link])
  })

  test('400 if a file is deleted before, or it is a series; a change lets go of its file', async () => {
    const user = await app.addUser()
    const [first, second] = [(await upload(user, '?keep_days=2')).body, (await upload(user)).body]
    const attachments = [{ file_id: first.id }]
    for (const days of [2, 3]) {
      expectProblem(await schedule(user, { send_at: later(days), attachments }), 400, 'notification.invalid')
    }
    const recurrence = { cron: '0 8 * * *', timezone: 'UTC' }
    expectProblem(await schedule(user, { recurrence, attachments }), 400, 'scheduled_notification.invalid')
    const { body } = await schedule(user, { send_at: later(1), attachments })
    const change = (patch: object) => app.patch(`/notifications/scheduled/${body.id}`, patch, user.token)
    expectProblem(await change({ send_at: later(3) }), 400, 'scheduled_notification.invalid')
    expect((await change({ attachments: [{ file_id: second.id }] })).body.attachments).toMatchObject([
      { id: second.id },
    ])
    expect((await change({ attachments: null })).body).not.toHaveProperty('attachments')
    const freed = await app.post('/notifications', { ...NOTIFICATION, attachments }, user.token)
    expect(freed.status).toBe(201)
  })
})

describe.skipIf(sqliteSuffices())('the form', () => {
  test('400 if the first part is not the notification, or another part is no file', async () => {
    const user = await app.addUser()
    const boundary = 'b'
    const part = (name: string, content: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
    const send = (parts: string) =>
      app.call('POST', '/notifications', {
        token: user.token,
        raw: `${parts}--${boundary}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
    const json = part('notification', JSON.stringify(NOTIFICATION))
    for (const parts of [part('file', 'x') + json, json + part('other', 'x'), part('notification', '{')]) {
      expectProblem(await send(parts), 400, 'request.body_invalid')
    }
    expect((await send(json)).status).toBe(201)
    expect(await fileCount(user)).toBe(0)
  })

  test('415 on routes that take no files', async () => {
    const user = await app.addUser()
    const { headers, body } = await encoded(new FormData())
    const refused = await app.call('POST', '/widgets', { token: user.token, raw: body, headers })
    expectProblem(refused, 415, 'request.media_type_unsupported')
  })
})

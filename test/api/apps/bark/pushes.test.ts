// What a phone with the Bark app gets by Apple for our notifications.
import { createDecipheriv } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addBarkPhone, BARK_TOPIC, type BarkPayload, notify, useBarkApp } from '../../../support/devices/bark-phone.ts'
import { addPhone } from '../../../support/devices/phone.ts'
import { letPass } from '../../../support/fakes/push-services.ts'
import { createOrganization } from '../../../support/organizations/organization.ts'

const SEALED = `pw1.0a1b2c3d.${Buffer.from('sealed by its sender'.repeat(6)).toString('base64')}`

const app = useBarkApp({ HELIOGRAPH_PUBLIC_URL: 'https://notify.example' })

async function addUserWithPhone(members: object = {}) {
  const user = await app.addUser()
  return { user, phone: await addBarkPhone(app, user, members) }
}

const timesOut = async (seconds: number) => {
  await letPass(app, seconds)
  await app.runDueJobs()
}

describe('a notification', () => {
  test('is shown by a dry run as the phone would get it', async () => {
    const { user, phone } = await addUserWithPhone()
    const notification = { title: 'T', body: 'B', level: 'critical', volume: 0.8, acknowledge: {} }
    const { body } = await app.post('/notifications?dry_run=true', notification, user.token)
    const bark = body.would.pushes.find(({ channel }: { channel: string }) => channel === 'bark')
    expect(bark.payload).toMatchObject({ level: 'critical', volume: '8', call: '1', aps: { alert: { title: 'T' } } })
    expect(JSON.stringify(body)).not.toContain(phone.token)
    expect(phone.pushes()).toEqual([])
  })

  test('has its texts, level, group, pictures, badge and a link, and collapses by its tag', async () => {
    const { user, phone } = await addUserWithPhone()
    const { body } = await notify(app, user, {
      subtitle: 'server-7',
      level: 'time-sensitive',
      source: 'disk',
      source_display_name: 'Disk watch',
      icon_url: 'https://x.example/i.png',
      media: { url: 'https://x.example/p.png', type: 'image' },
      url: 'https://x.example/disk',
    })
    expect(body.delivery).toBe('all')
    const [{ headers, payload }] = phone.pushes() as [ReturnType<typeof phone.pushes>[number]]
    const id = payload.id
    expect(id).toMatch(/^hl[0-9A-Za-z]+$/)
    expect(payload).toEqual({
      aps: {
        alert: { title: 'Disk full', subtitle: 'server-7', body: '/var has 0 bytes left.' },
        sound: '1107',
        category: 'myNotificationCategory',
        'mutable-content': 1,
        'thread-id': 'Disk watch',
        'interruption-level': 'time-sensitive',
      },
      level: 'timeSensitive',
      group: 'Disk watch',
      icon: 'https://x.example/i.png',
      image: 'https://x.example/p.png',
      url: 'https://x.example/disk',
      badge: '1',
      id,
    })
    expect(headers).toMatchObject({
      'apns-topic': BARK_TOPIC,
      'apns-push-type': 'alert',
      'apns-collapse-id': id,
      'apns-expiration': String(Math.floor(app.clock.now() / 1000) + 86_400),
    })
  })

  test('without a link it opens the console at the message, also one that is end-to-end encrypted', async () => {
    const { user, phone } = await addUserWithPhone()
    await app.patch(`/devices/${phone.deviceId}`, { options: { badge: false } }, user.token)
    const plain = (await notify(app, user)).body.id
    const sealed = (await app.post('/notifications', { encrypted: SEALED }, user.token)).body.id
    const [first, second] = phone.pushes().map(({ payload }) => payload)
    expect(first).toMatchObject({ url: `https://notify.example/app/n/${plain}`, group: 'Heliograph' })
    expect(first).not.toHaveProperty('badge')
    expect(second).toMatchObject({
      url: `https://notify.example/app/n/${sealed}`,
      aps: { alert: { title: 'Encrypted notification', body: 'End-to-end encrypted.' } },
    })
    expect(JSON.stringify(second)).not.toContain(SEALED)
  })

  test('a collapse id becomes a tag that tells nothing of it, the same for both messages', async () => {
    const { user, phone } = await addUserWithPhone()
    await notify(app, user, { collapse_id: 'secret-name' })
    await notify(app, user, { collapse_id: 'secret-name' })
    const tags = phone.pushes().map(({ payload }) => payload.id)
    expect(tags[0]).toMatch(/^hc[\w-]{22}$/)
    expect(tags[1]).toBe(tags[0])
  })

  test('Markdown goes out as Markdown, with its text for the banner', async () => {
    const { user, phone } = await addUserWithPhone()
    await notify(app, user, { body: '**now**', format: 'markdown' })
    expect(phone.pushes()[0]?.payload).toMatchObject({ markdown: '**now**', aps: { alert: { body: 'now' } } })
  })

  test('that can be answered opens the answer page; the answer is shown in its place', async () => {
    const { user, phone } = await addUserWithPhone()
    const actions = [
      { id: 'yes', title: 'Deploy' },
      { id: 'no', title: 'Not now' },
    ]
    const { body } = await notify(app, user, { actions, url: 'https://x.example' })
    const [push] = phone.pushes()
    const page = new URL(push?.payload.url ?? '')
    expect(page.origin).toBe('https://notify.example')
    expect((await app.get(page.pathname + page.search)).text).toContain('Deploy')
    const form = new URLSearchParams({ action_id: 'yes', device_id: phone.deviceId })
    const answered = await app.call('POST', `${page.pathname}/form`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: form.toString(),
    })
    expect(answered.status).toBe(303)
    expect((await app.get(`/notifications/answers/${body.id}`, user.token)).body).toMatchObject({ action_id: 'yes' })
    await app.runDueJobs()
    const ended = phone.pushes()
    expect(ended).toHaveLength(1)
    expect(ended[0]?.payload).toMatchObject({ id: push?.payload.id, level: 'passive' })
    expect(ended[0]?.payload.aps).toMatchObject({
      sound: 'silence.caf',
      alert: { body: expect.stringMatching(/^Answered, \d\d:\d\d$/) },
    })
  })

  test('a long body is cut so that the push has at most 4096 bytes', async () => {
    const { user, phone } = await addUserWithPhone()
    await notify(app, user, { body: 'ö'.repeat(4000) })
    const [push] = phone.pushes()
    expect(Buffer.byteLength(JSON.stringify(push?.payload))).toBeLessThanOrEqual(4096)
    expect(push?.payload.aps.alert?.body).toMatch(/ö…$/)
  })
})

describe('an alert', () => {
  test('rings, repeats under the same id, and says who has acknowledged it', async () => {
    const { user, phone } = await addUserWithPhone()
    const { body } = await notify(app, user, { level: 'critical', volume: 0.8, acknowledge: { repeat_seconds: 30 } })
    await timesOut(30)
    const pushes = phone.pushes()
    expect(pushes).toHaveLength(2)
    for (const { payload } of pushes) expect(payload).toMatchObject({ level: 'critical', volume: '8', call: '1' })
    expect(pushes[0]?.payload.aps).not.toHaveProperty('interruption-level')
    expect(pushes[1]?.payload.id).toBe(pushes[0]?.payload.id)
    expect(pushes[1]?.headers['apns-id']).not.toBe(pushes[0]?.headers['apns-id'])
    await app.post(`/notifications/${body.id}/answer`, { action_id: 'pw_ack' }, user.token)
    await app.runDueJobs()
    const [ended, ...others] = phone.pushes()
    expect(others).toEqual([])
    expect(ended?.payload).toMatchObject({ id: pushes[0]?.payload.id, level: 'passive' })
    expect(ended?.payload.aps.alert?.body).toMatch(/^Acknowledged, /)
    await timesOut(60)
    expect(phone.pushes()).toEqual([])
  })

  test('of an organization says which member has acknowledged it', async () => {
    const { owner, members, path } = await createOrganization(app, 2)
    const [first, second] = members as [typeof owner, typeof owner]
    const phone = await addBarkPhone(app, first)
    await app.patch('/auth/me', { nickname: 'Anna' }, second.token)
    const alert = {
      title: 'Down',
      body: 'db01',
      level: 'critical',
      acknowledge: {},
      target: { members: [first.userId, second.userId] },
    }
    expect((await app.post(`${path}/notifications`, alert, owner.token)).status).toBe(201)
    await app.runDueJobs()
    const [shown] = phone.pushes()
    const [{ id }] = (await app.get('/notifications', second.token)).body.items
    await app.post(`/notifications/${id}/answer`, { action_id: 'pw_ack' }, second.token)
    await app.runDueJobs()
    const ended = phone.pushes()
    expect(ended).toHaveLength(1)
    expect(ended[0]?.payload).toMatchObject({ id: shown?.payload.id, level: 'passive' })
    expect(ended[0]?.payload.aps.alert?.body).toMatch(/^Acknowledged by Anna, \d\d:\d\d$/)
  })

  test.each([
    ['never', undefined],
    ['alerts', '1'],
  ])('of a lower level rings or not by the option ring: %s', async (ring, call) => {
    const { user, phone } = await addUserWithPhone()
    await app.patch(`/devices/${phone.deviceId}`, { options: { ring } }, user.token)
    await notify(app, user, { acknowledge: {} })
    expect(phone.pushes()[0]?.payload.call).toBe(call)
  })
})

describe('what is read elsewhere', () => {
  test('is removed: at most ten at once, the highest level first', async () => {
    const { user, phone } = await addUserWithPhone()
    for (let i = 0; i < 12; i++) await notify(app, user, { level: i === 3 ? 'time-sensitive' : 'active' })
    const shown = phone.pushes()
    await app.post('/notifications/read', { all: true }, user.token)
    await app.runDueJobs()
    const withdrawn = phone.pushes()
    const newestFirst = shown.map(({ payload }) => payload.id).reverse()
    const urgent = shown[3]?.payload.id
    expect(withdrawn.map(({ payload }) => payload.id)).toEqual(
      [urgent, ...newestFirst.filter((id) => id !== urgent)].slice(0, 10),
    )
    expect(withdrawn[0]).toMatchObject({
      headers: { 'apns-push-type': 'background', 'apns-priority': '5' },
      payload: { delete: '1', aps: { 'content-available': 1 } },
    })
    expect(withdrawn[0]?.payload.aps).not.toHaveProperty('alert')
  })

  test('is removed thirty times an hour', async () => {
    const { user, phone } = await addUserWithPhone()
    const readAll = async (count: number) => {
      for (let i = 0; i < count; i++) await notify(app, user)
      phone.pushes()
      await app.post('/notifications/read', { all: true }, user.token)
      await app.runDueJobs()
      return phone.pushes().length
    }
    // All of it within one hour of the clock.
    app.advanceSeconds(3600 - ((app.clock.now() / 1000) % 3600))
    expect([await readAll(10), await readAll(10), await readAll(8), await readAll(4)]).toEqual([10, 10, 8, 2])
    expect(await readAll(1)).toBe(0)
    app.advanceSeconds(3600)
    expect(await readAll(1)).toBe(1)
  })

  test('is kept while the phone shows a newer unread message in its place, and with the option withdraw off', async () => {
    const { user, phone } = await addUserWithPhone()
    const { body: first } = await notify(app, user, { collapse_id: 'disk' })
    await notify(app, user, { collapse_id: 'disk' })
    phone.pushes()
    await app.post('/notifications/read', { ids: [first.id] }, user.token)
    await app.runDueJobs()
    expect(phone.pushes()).toEqual([])
    await app.patch(`/devices/${phone.deviceId}`, { options: { withdraw: false } }, user.token)
    await app.post('/notifications/read', { all: true }, user.token)
    await app.runDueJobs()
    expect(phone.pushes()).toEqual([])
  })

  test('a deleted one is removed by the tag that it had', async () => {
    const { user, phone } = await addUserWithPhone()
    const { body } = await notify(app, user, { collapse_id: 'disk' })
    const [shown] = phone.pushes()
    await app.del(`/notifications/${body.id}`, user.token)
    await app.runDueJobs()
    expect(phone.pushes()[0]?.payload).toMatchObject({ id: shown?.payload.id, delete: '1' })
  })
})

describe('a refusal of Apple', () => {
  test('410: the token is gone, and the device says why', async () => {
    const { user, phone } = await addUserWithPhone()
    app.apns.script(phone.token, { status: 410, reason: 'Unregistered', timestamp: app.clock.now() + 1000 })
    expect((await notify(app, user)).body).toMatchObject({ delivery: 'none' })
    expect((await app.get('/devices', user.token)).body.items).toMatchObject([
      { platform: 'bark', channel: 'apns', connected: false, last_push_error: 'Unregistered' },
    ])
  })

  test('of the key for Bark does not concern our own app', async () => {
    const { user, phone } = await addUserWithPhone()
    const own = await addPhone(app, { app, user })
    app.apns.script(phone.token, { status: 403, reason: 'InvalidProviderToken' })
    const { body } = await notify(app, user)
    expect(body.delivery).toBe('partial')
    expect(app.apns.requests.filter(({ token, isAccepted }) => token === own.token && isAccepted)).toHaveLength(1)
    const errors = (await app.get('/devices', user.token)).body.items.map(
      ({ last_push_error }: { last_push_error?: string }) => last_push_error,
    )
    expect(errors).toContain('Apple refused this server’s key for Bark (InvalidProviderToken)')
    // Apple is not asked again for a while, and then it is.
    const asked = phone.pushes().length
    expect((await notify(app, user)).body.delivery).toBe('partial')
    expect([asked, phone.pushes()]).toEqual([1, []])
    await timesOut(301)
    await notify(app, user)
    expect(phone.pushes().length).toBeGreaterThan(0)
  })
})

test('with encryption, Apple sees a placeholder, the tag and the ciphertext, and no more', async () => {
  const { user, phone } = await addUserWithPhone({ encrypt: true })
  await notify(app, user, { title: 'Kanarienvogel', body: 'Kanarienvogel '.repeat(290), level: 'critical' })
  const [push] = phone.pushes()
  const { aps, id, iv, ciphertext, ...others } = push?.payload ?? ({ aps: {} } as BarkPayload)
  expect(others).toEqual({})
  expect(aps.alert).toEqual({ body: 'Encrypted notification' })
  expect(id).toMatch(/^hl/)
  expect(app.apns.requests.at(-1)?.payload).not.toContain('Kanarienvogel')
  expect(Buffer.byteLength(app.apns.requests.at(-1)?.payload ?? '')).toBeLessThanOrEqual(4096)
  const bytes = Buffer.from(ciphertext ?? '', 'base64')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(phone.encryptionKey ?? ''), Buffer.from(iv ?? ''))
  decipher.setAuthTag(bytes.subarray(-16))
  const open = JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString())
  expect(open).toMatchObject({ title: 'Kanarienvogel', level: 'critical', volume: '10', group: 'Heliograph' })
  expect(open.body).toMatch(/^Kanarienvogel .*…$/)
})

// Apps of other services as devices: POST /devices/apps, and what the password of one may do.
import { describe, expect, test } from 'vitest'
import { startTestApp, useTestApp } from '../../support/app.ts'
import { openEvents } from '../../support/event-reader.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'

const app = useTestApp()

const add = (token: string, body: object = { kind: 'ntfy', name: 'Pixel' }) => app.post('/devices/apps', body, token)

describe('POST /devices/apps', () => {
  test.each([
    ['ntfy', { topic: 'inbox', deep_link: expect.stringMatching(/^ntfy:/) }, { options: { activities: true } }],
    ['gotify', {}, {}],
  ])('201 for %s: a device that only listens, and what is typed into the app', async (kind, more, chosen) => {
    const user = await app.addUser()
    const events = await openEvents(app.url, user.token)
    const { status, body } = await add(user.token, { kind, name: 'Pixel' })
    expect(status).toBe(201)
    await eventually(() => expect(events.types()).toEqual(['device.registered']))
    events.close()
    expect(events.events[0]?.data.data).toEqual({ id: body.device.id })
    expect(body).toEqual({
      device: {
        id: expect.any(String),
        name: 'Pixel',
        platform: kind,
        channel: 'stream',
        tags: [],
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        ...chosen,
      },
      server_url: `${app.url}/${kind}`,
      user: 'heliograph',
      password: expect.stringMatching(/^[2-9a-km-z]{4}(-[2-9a-km-z]{4}){3}$/),
      ...more,
    })
    expect((await app.get('/devices', user.token)).body.items).toEqual([body.device])
  })

  test('the address is at the root of the host name of the service, if there is one', async () => {
    const own = await startTestApp({
      HELIOGRAPH_PUBLIC_URL: 'https://notify.example',
      HELIOGRAPH_NTFY_HOST: 'ntfy.example',
    })
    try {
      const { token } = await own.addUser()
      const urlOf = async (kind: string) =>
        (await own.post('/devices/apps', { kind, name: 'P' }, token)).body.server_url
      expect(await urlOf('ntfy')).toBe('https://ntfy.example')
      expect(await urlOf('gotify')).toBe('https://notify.example/gotify')
    } finally {
      await own.stop()
    }
  })

  test('409 device.limit_exceeded: it counts like any device', async () => {
    const user = await app.addUser('free')
    for (let i = 0; i < 3; i++) expect((await add(user.token)).status).toBe(201)
    expectProblem(await add(user.token), 409, 'device.limit_exceeded')
  })

  test('422 for another kind, a missing name and a door that is switched off', async () => {
    const user = await app.addUser()
    expectProblem(await add(user.token, { kind: 'pushover', name: 'P' }), 422, 'request.validation_failed')
    expectProblem(await add(user.token, { kind: 'ntfy' }), 422, 'request.validation_failed')
    expectProblem(
      await app.put('/devices/p', { name: 'P', platform: 'ntfy' }, user.token),
      422,
      'request.validation_failed',
    )
    const closed = await startTestApp({ HELIOGRAPH_DOORS: 'gotify' })
    try {
      const { token } = await closed.addUser()
      const refused = await closed.post('/devices/apps', { kind: 'ntfy', name: 'P' }, token)
      expectProblem(refused, 422, 'request.validation_failed')
    } finally {
      await closed.stop()
    }
  })
})

describe('PATCH /devices/{id} with options', () => {
  test('200 with those of its kind, which are shown; 422 for others', async () => {
    const user = await app.addUser()
    const [ntfy, gotify] = [
      (await add(user.token)).body.device,
      (await add(user.token, { kind: 'gotify', name: 'P' })).body.device,
    ]
    const change = (id: string, options: object) => app.patch(`/devices/${id}`, { options }, user.token)
    expect((await change(ntfy.id, { activities: false })).body.options).toEqual({ activities: false })
    const refused = [
      change(ntfy.id, { badge: true }),
      change(ntfy.id, { activities: 'often' }),
      change(ntfy.id, { volume: 3 }),
      change(gotify.id, { activities: true }),
    ]
    for (const answer of await Promise.all(refused)) expectProblem(answer, 422, 'request.validation_failed')
    const phone = { name: 'P', platform: 'ios' }
    await app.put('/devices/own', phone, user.token)
    expectProblem(await change('own', { activities: true }), 422, 'request.validation_failed')
  })
})

describe('the password of an app', () => {
  test('403 device.app_not_permitted on the API, 401 once the device is deleted', async () => {
    const user = await app.addUser()
    const { device, password } = (await add(user.token)).body
    expectProblem(await app.get('/notifications', password), 403, 'device.app_not_permitted')
    expectProblem(await app.get('/events', password), 403, 'device.app_not_permitted')
    expectProblem(
      await app.post('/notifications', { title: 'T', body: 'B' }, password),
      403,
      'device.app_not_permitted',
    )
    await app.del(`/devices/${device.id}`, user.token)
    expectProblem(await app.get('/notifications', password), 401, 'token.invalid')
  })

  test('the timeline says that the app was not connected', async () => {
    const user = await app.addUser()
    await add(user.token)
    const sent = await app.post('/notifications', { title: 'T', body: 'B' }, user.token)
    expect(sent.body).toMatchObject({ delivery: 'none' })
    const { items } = (await app.get(`/notifications/${sent.body.id}/timeline`, user.token)).body
    expect(items.at(-1)).toMatchObject({
      event: 'not_connected',
      device: 'Pixel',
      detail: 'the app was not connected',
    })
  })
})

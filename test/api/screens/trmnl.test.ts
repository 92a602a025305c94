// Displays with the firmware of TRMNL: they register once, show what changes, sleep at night, and lose nothing when something fails.
import { readFileSync, renameSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { scheduleHousekeeping } from '../../../src/operations/housekeeping/housekeeping.ts'
import { startTestApp, type TestUser, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { fileOf } from '../../support/database/open-database.ts'
import { eventually } from '../../support/eventually.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { nightlyTest } from '../../support/nightly.ts'
import { readPng } from '../../support/screens/png.ts'
import { createTrmnl } from '../../support/screens/trmnl.ts'

const app = useTestApp()

let user: TestUser
beforeAll(async () => {
  user = await app.addUser()
  for (const slug of ['boiler', 'attic']) {
    const content = { template: 'value', value: 63, unit: '°C' }
    await app.post('/widgets', { slug, name: slug, content }, user.token)
  }
})

async function addDisplay(input: object = { shows: { widgets: ['boiler', 'attic'] } }) {
  const { status, body } = await app.post('/screens', { kind: 'trmnl', name: 'Hall', ...input }, user.token)
  expect([status, body]).toEqual([201, body])
  return body as { id: string; server_url: string }
}

// Meanwhile, every process that begins to draw is killed.
async function withoutDrawing<Result>(act: () => Promise<Result>): Promise<Result> {
  const killing = setInterval(killDrawing, 20)
  killDrawing()
  return act().finally(() => clearInterval(killing))
}

function killDrawing(): void {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)
  for (const child of children) {
    if (commandOf(child).includes('pictures/process.js')) process.kill(Number(child), 'SIGKILL')
  }
}

// One that has just ended has none.
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

type SeenDisplay = { id: string; pairing_asked_at?: string; device: { log: string[] } }
const seen = async (id: string) =>
  (await app.get('/screens', user.token)).body.items.find((one: SeenDisplay) => one.id === id) as SeenDisplay

const titles = async () =>
  (await app.get('/notifications', user.token)).body.items
    .map(({ title }: { title: string }) => title)
    .filter((title: string) => title.includes('Attic'))

const setValue = (value: number) => app.patch('/widgets/boiler', { content: { value } }, user.token)

describe('a display', () => {
  test.skipIf(sqliteSuffices())('registers once, and loads a picture only when it has changed', async () => {
    const { id, server_url } = await addDisplay()
    expect(server_url).toMatch(new RegExp(`^${app.url}/trmnl/p-[0-9A-Za-z]{12}$`))
    const display = createTrmnl(`${server_url}/`)
    expect((await display.wake('x')).status).toBe(404)

    const { status, body } = await display.setup()
    expect([status, body.status, body.message]).toEqual([200, 200, expect.any(String)])
    expect([body.api_key, body.friendly_id]).toEqual([
      expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      expect.stringMatching(/^[0-9A-F]{6}$/),
    ])
    const again = await display.setup()
    expect([again.status, again.body.status]).toEqual([404, 404])

    const first = await display.wake()
    expect(first.body).toMatchObject({ status: 0, refresh_rate: LIMITS.display.everySeconds.usual })
    expect(first.body.filename).toMatch(/^[\w-]{22}\.png$/)
    const { width, height, depth, data } = readPng(display.picture() as Buffer)
    expect([width, height, depth, new Set(data).size]).toEqual([800, 480, 1, 2])

    // A change that changes nothing is none.
    await setValue(63)
    app.advanceSeconds(900)
    const loads = display.loads()
    expect([(await display.wake()).body.filename, display.loads()]).toEqual([first.body.filename, loads])
    await setValue(64)
    expect((await display.wake()).body.filename).not.toBe(first.body.filename)
    expect(display.loads()).toBe(loads + 1)

    const list = await app.get('/screens', user.token)
    const [seen] = list.body.items
    expect(seen).toMatchObject({ id, kind: 'trmnl', widgets: ['boiler', 'attic'], every: 900 })
    expect(seen.last_used_at).toBeDefined()
    expect(list.text).not.toContain(server_url.slice(-12))

    // Another size of the same display; one that cannot be drawn is as good as none.
    const key = String(body.api_key)
    const large = createTrmnl(server_url, { size: [1200, 820] })
    await large.wake(key)
    expect(readPng(large.picture() as Buffer)).toMatchObject({ width: 1200, height: 820, depth: 1 })
    const hostile = createTrmnl(server_url, { size: [99_999, 1] })
    await hostile.wake(key)
    expect(readPng(hostile.picture() as Buffer)).toMatchObject({ width: 800, height: 480 })
  })

  test('that was revoked, has another key or another MAC gets 404; a new address registers one again', async () => {
    const { id, server_url } = await addDisplay({ shows: { wall: true } })
    const display = createTrmnl(server_url)
    const { api_key } = (await display.setup()).body
    const { image_url } = (await display.wake()).body
    expect((await display.wake('0'.repeat(32))).status).toBe(404)
    expect((await createTrmnl(server_url, { mac: '00:00:00:00:00:01' }).wake(String(api_key))).status).toBe(404)
    expectProblem(await app.get('/auth/me', String(api_key)), 401, 'token.invalid')
    const other = String(image_url).replace(/[\w-]{22}\.png/, `${'x'.repeat(22)}.png`)
    expect((await fetch(other)).status).toBe(404)

    const rolled = (await app.post(`/screens/${id}/roll`, undefined, user.token)).body
    expect([(await display.wake()).status, (await fetch(String(image_url))).status]).toEqual([404, 404])
    const moved = createTrmnl(rolled.server_url)
    expect([(await moved.setup()).status, (await moved.wake()).status]).toEqual([200, 200])

    const shown = String((await moved.wake()).body.image_url)
    expect((await app.del(`/screens/${id}`, user.token)).status).toBe(204)
    expect([(await moved.wake()).status, (await fetch(shown)).status]).toEqual([404, 404])

    const late = await addDisplay()
    app.advanceSeconds(LIMITS.display.registrationSeconds)
    expect((await createTrmnl(late.server_url).setup()).status).toBe(404)
    app.advanceSeconds(60)
  })

  test('that lost its key registers again once its owner allows it, and no other does', async () => {
    const { id, server_url } = await addDisplay()
    // Some firmware says its MAC in small letters.
    const display = createTrmnl(server_url, { mac: '3c:61:05:ab:cd:ef' })
    await display.setup()
    await createTrmnl(server_url, { mac: '00:00:00:00:00:01' }).setup()
    expect((await seen(id)).pairing_asked_at).toBeUndefined()
    expect((await display.setup()).status).toBe(404)
    expect((await seen(id)).pairing_asked_at).toBeDefined()
    const other = createTrmnl(server_url, { mac: '00:00:00:00:00:01' })
    expect((await app.post(`/screens/${id}/pair`, undefined, user.token)).body.pairing_asked_at).toBeUndefined()
    // Its key works until it has another one.
    expect([(await other.setup()).status, (await display.wake()).status]).toEqual([404, 200])
    expect([(await display.setup()).status, (await display.wake()).status, (await display.setup()).status]).toEqual([
      200, 200, 404,
    ])
    await app.post(`/screens/${id}/pair`, undefined, user.token)
    app.advanceSeconds(LIMITS.display.pairingSeconds)
    expect((await display.setup()).status).toBe(404)
    const link = (await app.post('/screens', { name: 'Link', wall: true }, user.token)).body
    expectProblem(await app.post(`/screens/${link.id}/pair`, undefined, user.token), 404, 'screen.not_found')
  })

  test('has its last lines kept, and what it says of itself', async () => {
    const { id, server_url } = await addDisplay()
    const display = createTrmnl(server_url)
    await display.setup()
    await display.wake()
    // A second log within a minute is dropped.
    const logs = (texts: string[]) => JSON.stringify({ logs: texts.map((message) => ({ message, created_at: 1 })) })
    expect(await display.log(logs(['woke', 'at\u202e 5']))).toBe(204)
    expect(await display.log(logs(['dropped']))).toBe(204)
    app.advanceSeconds(60)
    expect(await display.log(logs(Array.from({ length: 19 }, (_, index) => `line ${index}`)))).toBe(204)
    expect(await display.log('x'.repeat(2_000_000))).toBe(413)
    expect(await createTrmnl(`${app.url}/trmnl/p-000000000000`).log('{}')).toBe(404)
    const { device } = await seen(id)
    expect(device).toMatchObject({ battery_volts: 4.1, signal_dbm: -61, firmware: '1.5.2', model: 'og' })
    expect([device.log.length, device.log[0], device.log.at(-1)]).toEqual([20, 'at  5', 'line 18'])
    // Another display at a new address has said nothing yet.
    await app.post(`/screens/${id}/roll`, undefined, user.token)
    expect((await seen(id)).device).toBeUndefined()
  })

  test('keeps its night in a change that says nothing of it; null ends the night', async () => {
    const night = { from: '22:00', to: '06:00' }
    const { id } = await addDisplay({ shows: { wall: true }, every: 600, night })
    const change = async (body: object) => (await app.patch(`/screens/${id}`, body, user.token)).body
    expect(await change({ name: 'Porch' })).toMatchObject({ name: 'Porch', wall: true, every: 600, night })
    const changed = await change({ night: null })
    expect(changed).toMatchObject({ wall: true, every: 600 })
    expect(changed).not.toHaveProperty('night')
  })

  test('tells its owner once a day of an empty battery, and of three missed calls', async () => {
    const { id, server_url } = await addDisplay({ name: 'Attic', shows: { wall: true } })
    const display = createTrmnl(server_url, { volts: 3.21 })
    await display.setup()
    await display.wake()
    app.advanceSeconds(86_399)
    await display.wake()
    expect(await titles()).toEqual(['Charge Attic'])
    app.advanceSeconds(1)
    await display.wake()
    expect(await titles()).toEqual(['Charge Attic', 'Charge Attic'])
    app.advanceSeconds(86_400)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    expect(await titles()).toEqual(['Attic does not call', 'Charge Attic', 'Charge Attic'])
    await app.del(`/screens/${id}`, user.token)
  })

  test('is not missed after it has lost its address', async () => {
    const { id, server_url } = await addDisplay({ name: 'Porch', shows: { wall: true } })
    const display = createTrmnl(server_url)
    await display.setup()
    await display.wake()
    await app.post(`/screens/${id}/roll`, undefined, user.token)
    app.advanceSeconds(86_400)
    await scheduleHousekeeping(app.app.ctx)
    await app.runDueJobs()
    expect((await app.get('/notifications', user.token)).text).not.toContain('Porch')
  })

  test('registers one of two that ask at once', async () => {
    const { server_url } = await addDisplay()
    const macs = ['00:00:00:00:00:01', '00:00:00:00:00:02']
    const answers = await Promise.all(macs.map((mac) => createTrmnl(server_url, { mac }).setup()))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

describe.skipIf(sqliteSuffices())('a display', () => {
  test('sleeps until the end of the night, and by day no longer than its picture is right', async () => {
    const now = app.clock.now()
    const clock = (minutes: number) => new Date(now + minutes * 60_000).toISOString().slice(11, 16)
    const night = { from: clock(0), to: clock(120) }
    const { id, server_url } = await addDisplay({ shows: { widgets: ['attic'] }, every: 3600, night })
    const display = createTrmnl(server_url)
    await display.setup()
    const asleep = Number((await display.wake()).body.refresh_rate)
    expect(asleep).toBe(Math.ceil((120 * 60_000 - (now % 60_000)) / 1000))
    app.advanceSeconds(asleep)
    expect((await display.wake()).body.refresh_rate).toBe(3600)

    const end_date = new Date(app.clock.now() + 25 * 3600_000).toISOString()
    const content = { template: 'countdown', end_date }
    await app.post('/widgets', { slug: 'race', name: 'Race', content }, user.token)
    await app.patch(`/screens/${id}`, { shows: { widgets: ['race'] }, night: null, every: 86_400 }, user.token)
    expect((await display.wake()).body.refresh_rate).toBeLessThanOrEqual(3600)
    app.advanceSeconds(24 * 3600)
    // Each minute would empty its battery.
    expect((await display.wake()).body.refresh_rate).toBe(300)
  })

  test('keeps what it shows while nothing can be drawn', async () => {
    const { server_url } = await addDisplay()
    const display = createTrmnl(server_url)
    await display.setup()
    const { filename } = (await display.wake()).body
    await setValue(65)
    const kept = await withoutDrawing(() => display.wake())
    expect(kept.body).toMatchObject({ status: 0, filename, refresh_rate: 300 })
    // The next change is drawn again.
    await setValue(66)
    expect((await display.wake()).body.filename).not.toBe(filename)
  })

  test('gets the form of picture that its firmware and panel know', async () => {
    for (const [firmware, model, size, form] of [
      ['1.5.1', 'og', [800, 480], undefined],
      ['1.5.2', 'og', [800, 480], { depth: 1, width: 800 }],
      ['1.6.0', 'og', [800, 480], { depth: 2, width: 800 }],
      ['1.7.0', 'x', [1600, 1200], { depth: 2, width: 1600 }],
      ['1.7.0', 'waveshare', [800, 480], { depth: 1, width: 800 }],
    ] as const) {
      const { server_url } = await addDisplay()
      const display = createTrmnl(server_url, { firmware, model, size: [...size] })
      await display.setup()
      expect((await display.wake()).status).toBe(200)
      if (form) expect(readPng(display.picture() as Buffer)).toMatchObject(form)
    }
  })

  nightlyTest(
    'goes through a day: changes, a night, an hour without the server, and the end of its address',
    async () => {
      const own = await startTestApp()
      const owner = await own.addUser()
      await own.post('/widgets', { slug: 'w', name: 'W', content: { template: 'value', value: 0 } }, owner.token)
      const begin = own.clock.now()
      const hours = () => (own.clock.now() - begin) / 3_600_000
      const timeAt = (hour: number) => new Date(begin + hour * 3_600_000).toISOString().slice(11, 16)
      const night = { from: timeAt(12), to: timeAt(18) }
      const input = { kind: 'trmnl', name: 'Day', shows: { widgets: ['w'] }, every: 1800, night }
      const made = (await own.post('/screens', input, owner.token)).body
      const display = createTrmnl(made.server_url)
      await display.setup()
      const file = fileOf(own.database)
      let [value, wakesAtNight, refused] = [0, 0, 0]
      while (hours() < 24) {
        if (hours() >= (value + 1) * 4) {
          await own.patch('/widgets/w', { content: { value: ++value } }, owner.token)
        }
        const isAway = hours() >= 6 && hours() < 7
        if (isAway) {
          renameSync(file, `${file}.away`)
          await eventually(async () => expect((await display.wake()).status).toBe(503))
          renameSync(`${file}.away`, file)
          await eventually(async () => expect((await display.wake()).status).toBe(200))
          refused++
          own.advanceSeconds(1800)
          continue
        }
        const { status, body } = await display.wake()
        expect([hours(), status, body.status]).toEqual([hours(), 200, 0])
        if (hours() >= 12.1 && hours() < 17.9) wakesAtNight++
        own.advanceSeconds(Number(body.refresh_rate))
      }
      expect([refused, wakesAtNight]).toEqual([2, 0])
      // A picture for each value that it was awake for, and the one of its registration.
      expect(display.loads()).toBeLessThanOrEqual(value + 2)
      await own.del(`/screens/${made.id}`, owner.token)
      expect((await display.wake()).status).toBe(404)
      await own.stop()
    },
  )

  test('is neither wiped nor made to hurry while the database is away', async () => {
    const other = await startTestApp()
    const owner = await other.addUser()
    const input = { kind: 'trmnl', name: 'Hall', shows: { wall: true } }
    const { server_url } = (await other.post('/screens', input, owner.token)).body
    const display = createTrmnl(server_url)
    await display.setup()
    const file = fileOf(other.database)
    renameSync(file, `${file}.away`)
    await eventually(async () => expect((await display.wake()).status).toBe(503))
    expect((await display.setup()).status).toBeGreaterThanOrEqual(400)
    renameSync(`${file}.away`, file)
    await other.stop()
  })

  test('422 for what it cannot show; 404 where displays or pictures are switched off', async () => {
    const refused = [
      {},
      { shows: {} },
      { shows: { wall: true, widgets: ['boiler'] } },
      { shows: { widgets: ['a', 'b', 'c', 'd', 'e'] } },
      { shows: { widgets: ['bo*'] } },
      { shows: { wall: true }, every: 299 },
      { shows: { wall: true }, night: { from: '22:00', to: '22:00' } },
      { shows: { wall: true }, widgets: ['boiler'] },
      { kind: 'link', wall: true, every: 900 },
    ]
    for (const input of refused) {
      const answer = await app.post('/screens', { kind: 'trmnl', name: 'x', ...input }, user.token)
      expectProblem(answer, 422, 'request.validation_failed')
    }
    for (const [setting, value, code] of [
      ['HELIOGRAPH_DOORS', 'ntfy', 'screen.not_enabled'],
      ['HELIOGRAPH_PICTURES', 'off', 'picture.not_enabled'],
    ] as const) {
      const closed = await startTestApp({ [setting]: value })
      const owner = await closed.addUser()
      const input = { kind: 'trmnl', name: 'x', shows: { wall: true } }
      expectProblem(await closed.post('/screens', input, owner.token), 404, code)
      await closed.stop()
    }
  })

  test('unknown addresses and keys are refused credentials of their client', async () => {
    app.advanceSeconds(60)
    const statuses: number[] = []
    for (let count = 0; count <= LIMITS.rate.refusedDoorTokensPerMinute; count++) {
      statuses.push((await createTrmnl(`${app.url}/trmnl/p-${`${count}`.padStart(12, '0')}`).setup()).status)
    }
    expect([statuses[0], statuses.at(-2), statuses.at(-1)]).toEqual([404, 404, 429])
    app.advanceSeconds(60)
  })
})

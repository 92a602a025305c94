// Several nodes of which only some have an APNs key: APNs pushes are sent by nodes with a key.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/store/engine/sql.ts'
import type { TestApp, TestUser } from '../../support/app.ts'
import { isPostgres } from '../../support/database/database.ts'
import { addActivityPhone } from '../../support/devices/activity-phone.ts'
import { type ApplePhone, addBrowser, addPhone } from '../../support/devices/phone.ts'
import { eventually } from '../../support/eventually.ts'
import { type PushServices, startPushServices } from '../../support/fakes/push-services.ts'

const NO_KEY = {
  HELIOGRAPH_APNS_KEY_FILE: '',
  HELIOGRAPH_APNS_KEY_ID: '',
  HELIOGRAPH_APNS_TEAM_ID: '',
  HELIOGRAPH_APNS_TOPIC: '',
}

let services: PushServices
let keyless: TestApp
let user: TestUser
let phone: ApplePhone
beforeAll(async () => {
  services = await startPushServices()
  keyless = await services.startNode(NO_KEY)
})
afterAll(async () => {
  await services.close()
  await keyless.stop()
})
beforeEach(register)

async function register() {
  user = await keyless.addUser()
  phone = await addPhone(services, { app: keyless, user })
}

const send = (node: TestApp) => node.post('/notifications', { title: 'T', body: 'B' }, user.token)
const jobs = () =>
  keyless.app.ctx.db.read.all(sql`select kind, attempt from jobs where kind not in ('housekeeping', 'tick-activity')`)

test('when no node has an APNs key, a push to a phone is refused immediately and no job is left', async () => {
  expect((await send(keyless)).body).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
  expect(await jobs()).toEqual([])
})

describe.skipIf(!isPostgres())('next to a node with an APNs key', () => {
  let withKey: TestApp
  beforeAll(async () => {
    withKey = await services.startNode({}, keyless.database)
    await register()
    // A node with a key signals its start to the other, which also polls each minute in case the signal is lost.
    await eventually(async () => {
      services.clock.advanceSeconds(60)
      await send(keyless)
      expect(await jobs()).not.toEqual([])
    })
    await withKey.runDueJobs()
  })
  afterAll(() => withKey.stop())

  test('a node without a key neither sends nor claims APNs pushes; the other node sends them', async () => {
    expect((await send(keyless)).body).toMatchObject({ delivery: 'none' })
    await keyless.runDueJobs()
    await eventually(async () => expect(await jobs()).toEqual([{ kind: 'push-notification', attempt: 0 }]))
    expect(await phone.pushes()).toHaveLength(0)
    await withKey.runDueJobs()
    expect(await phone.pushes()).toHaveLength(1)
    expect((await send(withKey)).body.delivery).toBe('all')
  })

  test('widget reloads, withdrawals and live activities also wait for the node with a key', async () => {
    const live = await addActivityPhone(services, { app: keyless, user })
    expect((await send(withKey)).body.delivery).toBe('all')
    await keyless.post('/notifications/read', { all: true }, user.token)
    await keyless.post('/activities', { slug: 'wash', name: 'Wash' }, user.token)
    await keyless.patch('/activities/wash', { state: 'ongoing', content: { state: 'Rinsing' } }, user.token)
    const widget = { slug: 'load', name: 'Load', content: { template: 'value', value: 0 } }
    await keyless.post('/widgets', widget, user.token)
    await keyless.patch('/widgets/load', { content: { value: 1 } }, user.token)
    await keyless.runDueJobs()
    expect(phone.widgetReloads()).toBe(0)
    await withKey.runDueJobs()
    expect(phone.widgetReloads()).toBe(1)
    expect((await phone.screen()).banners).toEqual([])
    expect(live.words()).toEqual(['start Rinsing'])
  })

  test('web pushes are sent by the node without a key while the sender waits', async () => {
    const onlyBrowser = await keyless.addUser()
    const browser = await addBrowser(services, { app: keyless, user: onlyBrowser })
    const { body } = await keyless.post('/notifications', { title: 'T', body: 'B' }, onlyBrowser.token)
    expect(body.delivery).toBe('all')
    expect(await browser.pushes()).toHaveLength(1)
  })

  test('when no node with a key was alive for an hour, APNs pushes are refused again', async () => {
    await send(keyless)
    await withKey.stop()
    services.clock.advanceSeconds(59 * 60)
    await keyless.runDueJobs()
    expect(await jobs()).toEqual([{ kind: 'push-notification', attempt: 0 }])
    services.clock.advanceSeconds(2 * 60)
    await keyless.runDueJobs()
    expect(await jobs()).toEqual([])
    expect((await send(keyless)).body).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
  })
})

// An old phone is wiped and replaced by a new one: nothing goes to the old one any more, and nothing is lost.
import { expect, onTestFinished, test } from 'vitest'
import { addPhone } from '../support/devices/phone.ts'
import { openEvents } from '../support/event-reader.ts'
import { expectProblem } from '../support/expect-problem.ts'
import { startPushServices } from '../support/fakes/push-services.ts'

const gauge = { template: 'gauge', value: 1, min_value: 0, max_value: 5 }

test('after a phone is wiped, pushes and widget reloads go to its replacement only', async () => {
  const services = await startPushServices()
  const app = await services.startNode()
  onTestFinished(async () => {
    await services.close()
    await app.stop()
  })
  const user = await app.addUser('free')
  const alert = async (title: string) => (await app.post('/notifications', { title, body: 'B' }, user.defaultKey)).body
  const names = async () => (await app.get('/devices', user.token)).body.items

  const old = await addPhone(services, { app, user, name: 'Old' })
  const extension = (await app.post(`/devices/${old.id}/widget-token`, undefined, user.token)).body.token
  await app.post('/widgets', { slug: 'load', name: 'Load', content: gauge }, user.defaultKey)
  await app.patch('/widgets/load', { content: { value: 2 } }, user.defaultKey)
  await app.runDueJobs()
  expect(old.widgetReloads()).toBe(1)
  expect((await app.get('/widgets/load', extension)).body.content.value).toBe(2)

  // The phone was wiped: APNs reports it as unregistered.
  services.clock.advanceSeconds(3600)
  services.apns.script(old.token, { status: 410, reason: 'Unregistered', timestamp: services.clock.now() })
  expect(await alert('Lost')).toMatchObject({ delivery: 'none', reason: 'apns_rejected' })
  expect(await names()).toMatchObject([{ name: 'Old', channel: 'stream', last_push_error: 'Unregistered' }])
  expect(await alert('Nobody there')).toMatchObject({ delivery: 'none', reason: 'no_apns_token' })

  const fresh = await addPhone(services, { app, user, name: 'New' })
  expect(await alert('Found')).toMatchObject({ delivery: 'all' })
  expect(await fresh.screen()).toEqual({ banners: ['Found'], badge: 3 })
  const { items } = (await app.get('/notifications?unread=true', user.token)).body
  expect(items).toHaveLength(3)

  await app.del(`/devices/${old.id}`, user.token)
  expectProblem(await app.get('/widgets/load', extension), 401, 'token.invalid')
  services.clock.advanceSeconds(15)
  await app.patch('/widgets/load', { content: { value: 3 } }, user.defaultKey)
  await app.runDueJobs()
  expect([old.widgetReloads(), fresh.widgetReloads()]).toEqual([1, 1])

  // The old session and its stream end too.
  const stream = await openEvents(app.url, user.token)
  await app.del('/auth/token', user.token)
  await stream.ended
  expectProblem(await app.get('/devices', user.token), 401, 'token.invalid')
})

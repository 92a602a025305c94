// APNs fails in several ways, the server is restarted, and afterwards every alert is pushed exactly once.
import { expect, onTestFinished, test } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { addPhone } from '../support/devices/phone.ts'
import { openEvents } from '../support/event-reader.ts'
import { eventually } from '../support/eventually.ts'
import { letPass, startPushServices } from '../support/fakes/push-services.ts'

test('alerts sent while APNs fails arrive after the restart', async () => {
  const services = await startPushServices()
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { apns, clock } = services
  const evening = await services.startNode({}, database)
  const user = await evening.addUser()
  const phone = await addPhone(services, { app: evening, user })
  const seen = await openEvents(evening.url, user.token)
  const alert = (server: TestApp, title: string) => server.post('/notifications', { title, body: 'B' }, user.defaultKey)

  // APNs is busy, then resets connections, then does not answer at all.
  apns.script(phone.token, { status: 503, reason: 'ServiceUnavailable', retryAfter: '20' }, 'reset', 'reset', 'silence')
  const answers = [await alert(evening, 'Disk'), await alert(evening, 'Power')]
  const asked = apns.requests.length
  const third = alert(evening, 'Door')
  await apns.until(() => apns.requests.length > asked)
  await letPass(evening, 3)
  answers.push(await third)
  expect(answers.map(({ status, body }) => [status, body.delivery])).toEqual(Array(3).fill([201, 'none']))
  await eventually(() => expect(seen.events).toHaveLength(3))
  expect(await phone.screen()).toEqual({ banners: [], badge: 0 })

  // A stop finishes running jobs; failed pushes wait in the database.
  let stopped = false
  const stopping = evening.stop().then(() => (stopped = true))
  await eventually(() => {
    clock.advanceSeconds(0.5)
    expect(stopped).toBe(true)
  })
  await Promise.all([stopping, seen.ended])

  const morning = await services.startNode({}, database)
  onTestFinished(async () => {
    await services.close()
    await morning.stop()
  })
  clock.advanceSeconds(60)
  await morning.runDueJobs()
  const { banners, badge } = await phone.screen()
  expect([banners.toSorted(), badge]).toEqual([['Disk', 'Door', 'Power'], 3])
  expect(await phone.pushes()).toHaveLength(3)

  const missed = await openEvents(morning.url, user.token, seen.numbers()[0])
  await eventually(() => expect(missed.numbers()).toEqual(seen.numbers().slice(1)))
  missed.close()
  expect((await alert(morning, 'Quiet')).body.delivery).toBe('all')

  await morning.post('/notifications/read', { all: true }, user.token)
  await morning.runDueJobs()
  expect(await phone.screen()).toEqual({ banners: [], badge: 0 })
  const { items } = (await morning.get('/notifications', user.token)).body
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['Quiet', 'Door', 'Power', 'Disk'])
})

// A daily reminder over the weekend of a clock change, and one that is a year away.
import { expect, onTestFinished, test } from 'vitest'
import { fromRfc3339 } from '../../src/domain/instant.ts'
import { startTestApp } from '../support/app.ts'
import { addPhone } from '../support/devices/phone.ts'
import { eventually } from '../support/eventually.ts'
import { usePushApp } from '../support/fakes/push-services.ts'
import { createWatchedClock } from '../support/fakes/watched-clock.ts'
import { schedulesOf } from '../support/schedules.ts'

const app = usePushApp()
const HOUR_SECONDS = 3600

test('R07 7:30 stays 7:30 when daylight saving time starts, and a reminder at 2:30 in the gap is not lost', async () => {
  const { plan, read, inbox } = schedulesOf(app)
  app.clock.set(fromRfc3339('2027-03-26T12:00:00Z'))
  const user = await app.addUser()
  const phone = await addPhone(app, { app, user })
  const recurrence = { timezone: 'Europe/Berlin', cron: '30 7 * * *' }
  const morning = await plan(user, { title: 'Get up', recurrence })
  await plan(user, { title: 'Pills', recurrence: { ...recurrence, cron: '30 2 * * *' } })
  await plan(user, { title: 'Watch', recurrence: { ...recurrence, cron: '0 * * * *', until: '2027-03-28T03:00:00Z' } })

  for (let hour = 0; hour < 72; hour += 0.5) {
    app.advanceSeconds(HOUR_SECONDS / 2)
    await app.runDueJobs()
  }

  const sent = (await inbox(user)) as { title: string; created_at: string }[]
  const timesOf = (title: string) => sent.filter((one) => one.title === title).map((one) => one.created_at.slice(5, 16))
  expect(timesOf('Get up').toReversed()).toEqual(['03-27T06:30', '03-28T05:30', '03-29T05:30'])
  expect(timesOf('Pills').toReversed()).toEqual(['03-27T01:30', '03-28T01:00', '03-29T00:30'])
  expect(timesOf('Watch')).toHaveLength(40)
  expect((await phone.pushes()).map(({ aps }) => aps?.alert?.title).filter((title) => title === 'Get up')).toHaveLength(
    3,
  )

  await app.del(`/notifications/scheduled/${morning}`, user.token)
  app.advanceSeconds(24 * HOUR_SECONDS)
  await app.runDueJobs()
  expect(await read(user, morning)).toMatchObject({ status: 'canceled', occurrence: 3 })
  expect(((await inbox(user)) as { title: string }[]).filter(({ title }) => title === 'Get up')).toHaveLength(3)
})

test('R05 schedules 24, 25, 30 and 365 days ahead are not sent early, and none has a timer of that length', async () => {
  const clock = createWatchedClock('2027-01-01T00:00:00Z')
  const server = await startTestApp({}, undefined, { clock })
  onTestFinished(() => server.stop())
  const { plan, read, inbox } = schedulesOf(server)
  const user = await server.addUser()
  const ids: number[] = []
  const days = [24, 25, 30, 365]
  for (const day of days)
    ids.push(await plan(user, { send_at: new Date(clock.now() + day * 86_400_000).toISOString() }))
  server.app.worker.start()

  const statuses = async () => Promise.all(ids.map(async (id) => (await read(user, id)).status))
  for (const [index, day] of days.entries()) {
    clock.set(fromRfc3339(new Date(Date.UTC(2027, 0, 1 + day) - 1).toISOString()))
    await server.runDueJobs()
    expect((await statuses()).slice(index)).toEqual(days.slice(index).map(() => 'scheduled'))
    await eventually(async () => {
      clock.advanceSeconds(1)
      expect((await read(user, ids[index] as number)).status).toBe('sent')
    })
  }
  expect(await inbox(user)).toHaveLength(days.length)
  // The longest timer is that of a node that announces its APNs key each minute.
  expect(Math.max(...clock.alarmsMs)).toBeLessThanOrEqual(60_000)
})

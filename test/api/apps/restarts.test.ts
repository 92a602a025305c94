// Phones with apps of others, when the server is started again: with what was not shown yet, or with other settings.
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../support/database/database.ts'
import { addApp, pollNtfy } from '../../support/devices/app-streams.ts'
import { addBarkPhone, barkSettings, notify } from '../../support/devices/bark-phone.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { startFakeBarkServer } from '../../support/fakes/fake-bark-server.ts'
import { type PushApp, startPushServices } from '../../support/fakes/push-services.ts'

test('a live activity goes on with its newest state; an address that is not allowed any more gets nothing', async () => {
  const services = await startPushServices()
  onTestFinished(() => services.close())
  const server = await startFakeBarkServer(['phoneKey2345'])
  onTestFinished(() => server.close())
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const start = async (settings = {}): Promise<PushApp> =>
    Object.assign(await services.startNode({ ...barkSettings(services), ...settings }, database), services)

  const before = await start()
  const user = await before.addUser()
  const ntfy = await addApp(before, user)
  const phone = await addBarkPhone(before, user)
  await before.patch(`/devices/${phone.deviceId}`, { options: { activities: true } }, user.token)
  const other = { kind: 'bark', name: 'Other', address: `${server.url}/phoneKey2345/` }
  expect((await before.post('/devices/apps', other, user.token)).status).toBe(201)
  await before.post('/activities', { slug: 'wash', name: 'Washing' }, user.token)
  const show = async (state: string) => {
    const change = { state: 'ongoing', content: { template: 'generic', state } }
    expect((await before.patch('/activities/wash', change, user.token)).status).toBe(200)
  }
  await show('Filling')
  await before.runDueJobs()
  const [first] = phone.pushes()
  await show('Washing')
  await show('Spinning')
  await before.stop()

  const after = await start({ HELIOGRAPH_OUTBOUND_ALLOW: '' })
  try {
    after.advanceSeconds(61)
    await after.runDueJobs()
    const updates = phone.pushes()
    const shown = updates.map(({ payload }) => [payload.id, payload.aps.alert?.body])
    expect(shown).toEqual([[first?.payload.id, 'Spinning']])
    const polled = await pollNtfy(after, ntfy, 'activities/json?poll=1')
    expect(polled.map(({ message }) => message)).toEqual(['Spinning'])

    expect(server.pushed).toEqual([])
    const { id } = (await notify(after, user)).body
    expect([phone.pushes().length, server.pushed]).toEqual([1, []])
    const { items } = (await after.get(`/notifications/${id}/timeline`, user.token)).body
    expect(items).toContainEqual(expect.objectContaining({ event: 'push_rejected', device: 'Other' }))
    const refused = await after.post('/devices/apps', { ...other, address: 'https://localhost/key' }, user.token)
    expectProblem(refused, 422, 'device.address_invalid')
    expect(refused.body.detail).toContain('HELIOGRAPH_OUTBOUND_ALLOW')
    expect(refused.body.detail).not.toContain('127.0.0.1')
  } finally {
    await after.stop()
  }
})

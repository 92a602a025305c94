// The built program with an iPhone: a notification is pushed while its sender waits, and the program stops cleanly.
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/cli/run-command.ts'
import { createClient } from '../support/client.ts'
import { apnsSettings } from '../support/devices/apns-settings.ts'
import { eventually } from '../support/eventually.ts'
import { startFakeApns } from '../support/fakes/fake-apns.ts'
import { emptyFolder, startHeliograph } from '../support/heliograph-process.ts'

test('a notification is on the phone when its sender gets the answer', async () => {
  const apns = await startFakeApns()
  onTestFinished(() => apns.close())
  const environment = { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0', ...apnsSettings(apns) }
  const added = await runCommand(['user', 'add', 'ada'], environment)
  const token = /hla_\S+/.exec(added.stdout)?.[0]
  const server = await startHeliograph(['serve'], { environment })
  const api = createClient(server.url)
  const device = { name: 'Phone', platform: 'ios', apns: { device_token: 'a'.repeat(64), environment: 'production' } }
  expect((await api.put('/devices/phone', device, token)).status).toBe(201)

  // The first push starts the thread of the channels and connects to APNs. On a busy machine that takes longer than the three
  // seconds for which a sender waits.
  await api.post('/notifications', { title: 'First', body: 'Wakes the channels.' }, token)
  await eventually(() => expect(apns.requests).toHaveLength(1))
  const sent = await api.post('/notifications', { title: 'Build passed', body: 'All is well.' }, token)
  expect(sent).toMatchObject({ status: 201, body: { delivery: 'all' } })
  expect(apns.requests.map(({ payload }) => JSON.parse(payload).aps.alert.title)).toEqual(['First', 'Build passed'])
  const timeline = (await api.get(`/notifications/${sent.body.id}/timeline`, token)).body
  expect(timeline.items.map(({ event }: { event: string }) => event)).toEqual([
    'accepted',
    'stored',
    'push_sent',
    'push_accepted',
  ])
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
})

// serve --demo-device, the start of the tour in the README.
import { expect, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { emptyFolder, startHeliograph } from '../support/heliograph-process.ts'

test('shows questions, widgets and live activities, explains itself, and no request log hides them', async () => {
  const environment = { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0' }
  const server = await startHeliograph(['serve', '--demo-device'], { environment, stdin: 'help\n' })
  const shows = (text: string) => eventually(() => expect(server.output()).toContain(text))
  await shows('demo device:')
  await shows('When a notification shows [1], type that number.')
  const key = /hlk_\S+/.exec(server.output())?.[0] ?? ''
  const api = createClient(server.url)
  const question = { title: 'Deploy v1.2?', body: 'All green.', actions: [{ id: 'yes', title: 'Deploy' }] }
  const { body } = await api.post('/notifications', question, key)
  expect(body).toMatchObject({ delivery: 'all', answerable: true })
  await shows('Deploy v1.2?')
  await shows('[1] Deploy')

  const temperature = { template: 'value', value: 21.5, unit: '°C', label: 'Desk' }
  await api.post('/widgets', { slug: 'office', name: 'Office', content: temperature }, key)
  await shows('Office  widget · value')
  await shows('21.5 °C')
  const build = { template: 'generic', state: 'Compiling', progress: 0.5 }
  await api.patch('/activities/build?upsert=true', { state: 'ongoing', content: build }, key)
  await shows('build  live activity · generic · ongoing')
  await shows('████████████░░░░░░░░░░░░ 50 %')
  await api.post('/demo/run', { mode: 'auto' }, key)
  await eventually(() => expect(server.output().match(/live activity/g)?.length).toBeGreaterThan(1))

  expect(server.output()).not.toContain('"msg":"request"')
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
})

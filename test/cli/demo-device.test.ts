// serve --demo-device, the start of the tour in the README.
import { expect, test, vi } from 'vitest'
import { createClient } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { emptyFolder, startHeliograph } from '../support/heliograph-process.ts'

vi.setConfig({ testTimeout: 60_000 })

test('a question is shown in the terminal, and its sender gets delivery all', async () => {
  const environment = { HELIOGRAPH_DATA_DIR: emptyFolder(), HELIOGRAPH_PORT: '0' }
  const server = await startHeliograph(['serve', '--demo-device'], { environment })
  await eventually(() => expect(server.output()).toContain('demo device:'))
  const key = /hlk_\S+/.exec(server.output())?.[0] ?? ''
  const question = { title: 'Deploy v1.2?', body: 'All green.', actions: [{ id: 'yes', title: 'Deploy' }] }
  const { body } = await createClient(server.url).post('/notifications', question, key)
  expect(body).toMatchObject({ delivery: 'all', answerable: true })
  await eventually(() => expect(server.output()).toContain('Deploy v1.2?'))
  expect(await server.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
})

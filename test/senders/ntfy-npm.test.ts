// The npm package ntfy, a client for Node.js.
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useNpmPackage } from './npm-package.ts'

type Publish = (config: Record<string, unknown>) => Promise<{ id: string; topic: string; message: string }>

const app = useTestApp()
const client = useNpmPackage<{ publish: Publish }>('ntfy', '1.15.6')

const publish: Publish = async (config) => (await client.load()).publish(config)

test('publishes with a title, tags, buttons and a delay', async () => {
  const user = await app.addUser()
  const common = {
    server: `${app.url}/ntfy/`,
    topic: 'builds',
    authorization: { username: 'x', password: user.defaultKey },
  }
  const sent = await publish({
    ...common,
    message: 'main is green',
    title: 'Build',
    tags: ['white_check_mark'],
    priority: 4,
    clickURL: 'https://ci.example/1',
    actions: [{ type: 'view', label: 'Open', url: 'https://ci.example/1' }],
  })
  expect(sent).toMatchObject({ topic: 'builds', message: 'main is green' })
  expect((await app.get('/notifications', user.token)).body.items).toMatchObject([
    { title: '✅ Build', body: 'main is green', level: 'time-sensitive', actions: [{ title: 'Open' }] },
  ])
  await publish({ ...common, message: 'later', delay: '1h' })
  expect((await app.get('/notifications/scheduled', user.token)).body.items).toMatchObject([{ body: 'later' }])
})

test('reports a token that is refused', async () => {
  const config = {
    server: `${app.url}/ntfy/`,
    topic: 't',
    authorization: { username: 'x', password: 'no' },
    message: 'x',
  }
  await expect(publish(config)).rejects.toThrow()
})

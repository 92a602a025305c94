// The npm package gotify, a client for Node.js.
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useNpmPackage } from './npm-package.ts'

type Send = (message: Record<string, unknown>) => Promise<unknown>

const app = useTestApp()
const client = useNpmPackage<{ gotify: Send }>('gotify', '1.1.0')

test('sends with an alias, and reports a token that is refused', async () => {
  const { gotify } = await client.load()
  const user = await app.addUser()
  const { id } = (await app.post('/integrations/keys', { name: 'Node' }, user.token)).body
  const { token } = (await app.post(`/integrations/keys/${id}/aliases`, { door: 'gotify' }, user.token)).body
  const message = { server: `${app.url}/gotify`, title: 'Build', message: 'main is green', priority: 8 }
  await gotify({ ...message, app: token })
  const { items } = (await app.get('/notifications', user.token)).body
  expect(items).toMatchObject([{ title: 'Build', body: 'main is green', level: 'time-sensitive', source: 'Node' }])
  await expect(gotify({ ...message, app: 'A00000000000000' })).rejects.toThrow()
})

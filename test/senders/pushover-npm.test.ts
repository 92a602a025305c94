// The npm package pushover-notifications. The host of Pushover is fixed in it, as in most senders, but its HTTP options can be
// overridden; with a proxy it speaks plain HTTP.
import { expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { useNpmPackage } from './npm-package.ts'

type Options = { user: string; token: string; httpOptions: object; onerror: (error: string) => void }
type Sender = { send(message: object, done: (error: unknown, answer: string) => void): void }

const app = useTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://push.example.org' })
const client = useNpmPackage<{ default: new (options: Options) => Sender }>('pushover-notifications', '1.2.3')

// Returns the answer, or the first error in it.
async function send(token: string, message: object): Promise<Record<string, unknown> | string> {
  const { default: Pushover } = await client.load()
  const { hostname, port } = new URL(app.url)
  const httpOptions = { proxy: app.url, hostname, port, path: '/pushover/1/messages.json' }
  return new Promise((resolve) => {
    const sender = new Pushover({ user: 'me', token, httpOptions, onerror: resolve })
    sender.send(message, (_error, answer) => resolve(JSON.parse(answer)))
  })
}

test('sends with an alias, with a picture and as an emergency, and reports a token that is refused', async () => {
  const user = await app.addUser()
  const { id } = (await app.post('/integrations/keys', { name: 'Node' }, user.token)).body
  const { token } = (await app.post(`/integrations/keys/${id}/aliases`, { door: 'pushover' }, user.token)).body
  const picture = Buffer.from('\x89PNG\r\n\x1a\n\r\n--picture', 'latin1')
  const file = { name: 'cat.png', data: picture, type: 'image/png' }
  expect(await send(token, { message: 'Grüße', title: 'Build', priority: 1, file })).toMatchObject({ status: 1 })
  const urgent = { message: 'Fire', priority: 2, retry: 30, expire: 60 }
  expect(await send(token, urgent)).toMatchObject({ status: 1, receipt: expect.any(String) })
  const { items } = (await app.get('/notifications', user.token)).body
  expect(items).toMatchObject([
    { title: 'Node', body: 'Fire', level: 'critical' },
    { title: 'Build', body: 'Grüße', level: 'time-sensitive', media_type: 'image' },
  ])
  const stored = await fetch(`${app.url}${new URL(items[1].media_url).pathname}`)
  expect(Buffer.from(await stored.arrayBuffer())).toEqual(picture)
  expect(await send('a'.repeat(30), { message: 'x' })).toBe('application token is invalid')
})

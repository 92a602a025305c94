// Apprise, which home automation, Uptime Kuma and many backup tools send with.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'

const run = promisify(execFile)
const APPRISE = process.env.HELIOGRAPH_TEST_APPRISE ?? 'apprise'
const isInstalled = await run(APPRISE, ['--version']).then(
  () => true,
  () => false,
)

// Apprise has no path in an address of ntfy, so the door is at the root of a host name.
const app = useTestApp({ HELIOGRAPH_NTFY_HOST: 'localhost' })

const portOf = () => new URL(app.url).port
const newest = async (user: TestUser) => (await app.get('/notifications?limit=1', user.token)).body.items[0]

async function aliasFor(user: TestUser, door: string): Promise<string> {
  const key = { name: 'Apprise', permissions: { notifications: 'send' } }
  const { id } = (await app.post('/integrations/keys', key, user.token)).body
  return (await app.post(`/integrations/keys/${id}/aliases`, { door }, user.token)).body.token
}

const notify = (address: string, title = 'Täglich') => run(APPRISE, ['-vv', '-t', title, '-b', 'Fertig ✓', address])

describe.skipIf(!isInstalled)('Apprise', () => {
  test('sends to ntfy with a key as the password', async () => {
    const user = await app.addUser()
    const options = 'priority=high&tags=tada&click=https://a.example/1&mode=private'
    await notify(`ntfy://any:${user.defaultKey}@localhost:${portOf()}/backups?${options}`)
    expect(await newest(user)).toMatchObject({
      title: '🎉 Täglich',
      body: 'Fertig ✓',
      level: 'time-sensitive',
      url: 'https://a.example/1',
      source: 'backups',
    })
  })

  test('reports a token that ntfy refuses', async () => {
    const refused = notify(`ntfy://any:tk_00000000000000000000000000000@localhost:${portOf()}/backups`)
    await expect(refused).rejects.toMatchObject({ code: 1 })
  })

  test('sends to Gotify with an alias', async () => {
    const user = await app.addUser()
    const token = await aliasFor(user, 'gotify')
    await notify(`gotify://127.0.0.1:${portOf()}/gotify/${token}?priority=high`)
    expect(await newest(user)).toMatchObject({ title: 'Täglich', body: 'Fertig ✓', level: 'time-sensitive' })
  })
})

// Apprise, which home automation, Uptime Kuma and many backup tools send with.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type TestApp, type TestUser, useTestApp } from '../support/app.ts'
import { addHook, type TestHook } from '../support/hooks/hook.ts'
import { hasApprise, useApprise } from './apprise.ts'

// Apprise has no path in an address of ntfy and of Bark, so their doors are at the root of a host name.
const app = useTestApp({ HELIOGRAPH_NTFY_HOST: 'localhost' })
const barkApp = useTestApp({ HELIOGRAPH_BARK_HOST: 'localhost' })

const apprise = useApprise()
const portOf = ({ url } = app) => new URL(url).port
const newest = async (user: TestUser, at: TestApp = app) =>
  (await at.get('/notifications?limit=1', user.token)).body.items[0]

async function aliasFor(user: TestUser, door: string, app: TestApp): Promise<string> {
  const key = { name: 'Apprise', permissions: { notifications: 'send' } }
  const { id } = (await app.post('/integrations/keys', key, user.token)).body
  return (await app.post(`/integrations/keys/${id}/aliases`, { door }, user.token)).body.token
}

const notify = (address: string, ...options: string[]) =>
  apprise(['-vv', '-t', 'Täglich', '-b', 'Fertig ✓', ...options, address])

// A plugin that Apprise loads before it sends: the plugins for Slack and Discord know only the addresses of those services.
const redirection = ({ url }: TestHook) => `
from apprise.decorators import notify
try:
    from apprise.common import NOTIFY_SCHEMA_MAP as plugins
except ImportError:
    from apprise.manager_plugins import NotificationManager
    plugins = NotificationManager()
plugins['slack'].webhook_url = '${url}?to='
plugins['discord'].notify_url = '${url}?to='

@notify(on='redirection')
def unused(body, title, notify_type, *args, **kwargs):
    return True
`

async function redirectTo(hook: TestHook): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'redirection.py'), redirection(hook))
  return ['-P', folder]
}

describe.skipIf(!hasApprise)('Apprise', () => {
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
    const token = await aliasFor(user, 'gotify', app)
    await notify(`gotify://127.0.0.1:${portOf()}/gotify/${token}?priority=high`)
    expect(await newest(user)).toMatchObject({ title: 'Täglich', body: 'Fertig ✓', level: 'time-sensitive' })
  })

  test('sends to Bark with aliases, and reports one that is refused', async () => {
    const [anna, ben] = [await barkApp.addUser(), await barkApp.addUser()]
    const keys = [await aliasFor(anna, 'bark', barkApp), await aliasFor(ben, 'bark', barkApp)]
    const address = (targets: string[]) =>
      `bark://localhost:${portOf(barkApp)}/${targets.join('/')}?group=Backups&sound=minuet&level=timeSensitive&click=https://a.example/1`
    await notify(address(keys))
    for (const user of [anna, ben]) {
      expect(await newest(user, barkApp)).toMatchObject({
        title: 'Täglich',
        body: 'Fertig ✓',
        level: 'time-sensitive',
        source: 'backups',
        source_display_name: 'Backups',
        sound: 'file:minuet',
        url: 'https://a.example/1',
      })
    }
    await expect(notify(address(['2222222222222222222222']))).rejects.toMatchObject({ code: 1 })
  })

  test.each([
    ['json', (path: string) => `json://127.0.0.1:${portOf()}${path}`],
    ['its API', (path: string) => `apprise://127.0.0.1:${portOf()}${path}/anything?tags=ops`],
  ])('sends to a webhook in the form of %s', async (_form, addressOf) => {
    const hook = await addHook(app, { kind: 'auto' })
    await notify(addressOf(new URL(hook.url).pathname), '-n', 'failure')
    expect(await hook.newest()).toMatchObject({ title: 'Täglich', body: 'Fertig ✓', level: 'time-sensitive' })
    expect((await hook.requests())[0]?.outcome).toMatchObject({ result: 'sent', kind: 'apprise' })
  })

  test.each([
    // Apprise names itself: as the footer of the attachment, or as the author of the embed.
    ['slack', `slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#ops`, 'Fertig ✓\nApprise'],
    ['discord', `discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?format=markdown`, 'Apprise\nFertig ✓'],
  ])('sends to a webhook in the form of %s', async (kind, address, body) => {
    const hook = await addHook(app, { kind: 'auto' })
    // Apprise 1.2.0 compares the answer of Slack, bytes, with a text, and so reports every message to Slack as failed.
    await notify(address, ...(await redirectTo(hook)), '-n', 'failure').catch((error) => {
      if (kind !== 'slack') throw error
    })
    expect((await hook.requests())[0]?.outcome).toMatchObject({ result: 'sent', kind })
    expect(await hook.newest()).toMatchObject({ title: 'Täglich', body })
  })
})

// After an import from ntfy and Gotify, the senders and receivers of before go on with the address changed and nothing else: curl,
// Apprise, and a client of Gotify, with tokens of Gotify 2 and 3.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createToken, requireUserByName } from '../../src/operations/accounts/accounts.ts'
import { importFromGotify, importFromNtfy } from '../../src/operations/imports/import.ts'
import { gotifyDatabase, ntfyUsers, version3Token } from '../api/imports/foreign-databases.ts'
import { useTestApp } from '../support/app.ts'
import { hasApprise, useApprise } from './apprise.ts'

const run = promisify(execFile)
// Apprise has no path in an address of ntfy, so the door is at the root of a host name.
const app = useTestApp({ HELIOGRAPH_NTFY_HOST: 'localhost' })
const apprise = useApprise()
const port = () => new URL(app.url).port
const OPTIONS = { plan: 'paid', isDryRun: false }

async function titles(name: string): Promise<string[]> {
  const { id } = await requireUserByName(app.app.ctx, name)
  const { body } = await app.get('/notifications', await createToken(app.app.ctx, id, 'hla'))
  return body.items.map(({ title }: { title: string }) => title).toReversed()
}

const curl = async (...args: string[]) =>
  JSON.parse((await run('curl', ['--silent', '--fail-with-body', ...args])).stdout)

// Debian's Apprise knows no tokens of ntfy, only passwords, which are not brought.
test('curl sends with a token of ntfy in every place where ntfy reads it', async () => {
  const token = 'tk_senders0senders0senders0sende'
  const tokens = [{ user_id: 'u_1', token, label: 'nas', expires: 0 }]
  await importFromNtfy(app.app.ctx, [ntfyUsers([{ id: 'u_1', user: 'nora', role: 'admin' }], tokens)], OPTIONS)
  const address = `http://localhost:${port()}/backups`
  const auth = Buffer.from(`Bearer ${token}`).toString('base64url')
  await curl('-H', `Authorization: Bearer ${token}`, '-H', 'Title: bearer', '-d', 'done', address)
  await curl('-u', `:${token}`, '-H', 'Title: basic', '-T', import.meta.filename, '-H', 'Filename: a.ts', address)
  await curl('-d', 'done', `${address}?title=query&auth=${auth}`)
  expect(await titles('nora')).toEqual(['bearer', 'basic', 'query'])
})

type Client = {
  message: {
    createMessage(message: object): Promise<{ id: number }>
    getMessages(): Promise<{ messages: { id: number; title: string }[] }>
  }
}

async function installClient(): Promise<new (host: string, keys: { app: string; client: string }) => Client> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'gotify-client@0.4.2'])
  const client = pathToFileURL(join(folder, 'node_modules/gotify-client/dist/gotify-client.js')).href
  return (await import(/* @vite-ignore */ client)).GotifyClient
}

test.skipIf(!hasApprise)('curl, Apprise and a client send and receive with tokens of Gotify 2 and 3', async () => {
  const [sender, receiver] = [version3Token('a'), version3Token('c')]
  const row = { user_id: 1, name: 'NAS' }
  const file = gotifyDatabase({
    users: [{ id: 1, name: 'gil' }],
    applications: [
      { id: 1, token: 'AWH0wZ5r0Mbac.r', ...row },
      { id: 2, token: sender.stored, ...row },
    ],
    clients: [
      { id: 1, token: 'CWH0wZ5r0Mbac.r', ...row },
      { id: 2, token: receiver.stored, ...row },
    ],
    messages: [
      {
        id: 1,
        application_id: 1,
        title: 'Before',
        message: 'm',
        priority: 5,
        extras: null,
        date: '2026-11-12 08:00:00+00:00',
      },
    ],
  })
  expect((await importFromGotify(app.app.ctx, file, OPTIONS)).losses).toEqual([
    expect.objectContaining({ what: 'passwords' }),
  ])
  const GotifyClient = await installClient()
  for (const [token, client] of [
    ['AWH0wZ5r0Mbac.r', 'CWH0wZ5r0Mbac.r'],
    [sender.token, receiver.token],
  ] as const) {
    await curl(`${app.url}/gotify/message?token=${token}`, '-F', 'title=curl', '-F', 'message=done')
    await curl('-H', `X-Gotify-Key: ${token}`, '-d', 'title=header&message=done', `${app.url}/gotify/message`)
    await apprise(['-t', 'Apprise', '-b', 'done', `gotify://127.0.0.1:${port()}/gotify/${token}`])
    const gotify = new GotifyClient(`${app.url}/gotify/`, { app: token, client })
    const { id } = await gotify.message.createMessage({ title: 'client', message: 'done' })
    const { messages } = await gotify.message.getMessages()
    expect(messages[0]).toMatchObject({ id, title: 'client' })
    expect(messages.at(-1)).toMatchObject({ title: 'Before' })
  }
  const sent = ['curl', 'header', 'Apprise', 'client']
  expect(await titles('gil')).toEqual(['Before', ...sent, ...sent])
})

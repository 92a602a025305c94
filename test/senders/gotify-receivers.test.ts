// Receivers from npm at the door for Gotify: gotify-client, which calls the whole interface, and wscat for the stream.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addGotifyDevice, logIn } from '../api/doors/gotify/phone.ts'
import { useTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

type Client = {
  application: {
    getApps(): Promise<{ id: number; name: string }[]>
    getAppMessages(query: { id: number; limit: number }): Promise<{ messages: object[] }>
  }
  client: { getClients(): Promise<{ id: number }[]>; deleteClient(id: number): Promise<unknown> }
  current: { currentUser(): Promise<{ name: string }> }
  health: { getHealth(): Promise<object> }
  message: {
    createMessage(message: object): Promise<{ id: number; appid: number }>
    getMessages(query?: object): Promise<{ messages: { id: number; message: string }[]; paging: { next?: string } }>
    deleteMessage(id: number): Promise<unknown>
    deleteMessages(): Promise<unknown>
  }
  version: { getVersion(): Promise<{ version: string }> }
}

const app = useTestApp()
let folder: string
let GotifyClient: new (host: string, keys: { app: string; client: string }) => Client
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-receiver-'))
  const packages = ['gotify-client@0.4.2', 'wscat@6.0.1']
  await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages])
  const client = pathToFileURL(join(folder, 'node_modules/gotify-client/dist/gotify-client.js')).href
  GotifyClient = ((await import(/* @vite-ignore */ client)) as { GotifyClient: typeof GotifyClient }).GotifyClient
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('gotify-client sends, reads pages, and deletes', async () => {
  const user = await app.addUser()
  const token = await logIn(app, await addGotifyDevice(app, user))
  const client = new GotifyClient(`${app.url}/gotify/`, { app: user.defaultKey, client: token })
  expect((await client.version.getVersion()).version).toMatch(/^\d/)
  expect(await client.health.getHealth()).toEqual({ health: 'green', database: 'green' })
  expect((await client.current.currentUser()).name).toBe(user.name)
  const sent = await client.message.createMessage({ title: 'Backup', message: 'done', priority: 5 })
  const page = await client.message.getMessages({ limit: 10 })
  expect([page.messages.map(({ id }) => id), page.paging.next]).toEqual([[sent.id], undefined])
  const application = (await client.application.getApps()).find(({ id }) => id === sent.appid)
  expect(application?.name).toBe('Default')
  expect((await client.application.getAppMessages({ id: sent.appid, limit: 1 })).messages).toHaveLength(1)
  await client.message.deleteMessage(sent.id)
  await client.message.createMessage({ message: 'more' })
  await client.message.deleteMessages()
  expect((await client.message.getMessages()).messages).toEqual([])
  const [own] = await client.client.getClients()
  await client.client.deleteClient(own?.id ?? 0)
  expect(await client.current.currentUser()).toMatchObject({ errorCode: 401 })
})

test('wscat gets a frame per message', async () => {
  const user = await app.addUser()
  const token = await logIn(app, await addGotifyDevice(app, user))
  app.advanceSeconds(5)
  const url = `${app.url.replace('http', 'ws')}/gotify/stream?token=${token}`
  const wscat: ChildProcess = spawn(join(folder, 'node_modules/.bin/wscat'), ['--no-color', '-c', url])
  onTestFinished(() => void wscat.kill())
  let output = ''
  wscat.stdout?.on('data', (chunk) => (output += chunk))
  // Without a terminal it says nothing when it has connected.
  await eventually(async () => {
    const [device] = (await app.get('/devices', user.token)).body.items
    expect(device.last_seen_at).not.toBe(device.created_at)
  })
  await app.post('/notifications', { title: 'Backup', body: 'done' }, user.token)
  await eventually(() =>
    expect(output).toMatch(/\{"id":\d+,"appid":\d+,"message":"done","title":"Backup","priority":5/),
  )
})

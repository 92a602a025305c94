// Receivers that nobody here wrote, subscribed at the door for ntfy: Debian's python3-websockets, unpacked into a folder of the
// test, and the npm package eventsource. Neither the ntfy command nor a library for Home Assistant is in Debian or npm.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { addApp, appHeaders } from '../support/devices/app-streams.ts'
import { eventually } from '../support/eventually.ts'

const run = promisify(execFile)
const app = useTestApp()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-receiver-'))
  await run('apt-get', ['download', 'python3-websockets'], { cwd: folder })
  const [archive = ''] = (await readdir(folder)).filter((name) => name.endsWith('.deb'))
  await run('dpkg-deb', ['--extract', archive, 'python'], { cwd: folder })
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'eventsource@4.0.0'])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// Prints each text frame, then how the connection ended.
const PYTHON_CLIENT = `
import asyncio, sys, websockets
async def main(url, authorization):
    async with websockets.connect(url, extra_headers={'Authorization': authorization}) as socket:
        try:
            async for frame in socket:
                print(frame, flush=True)
        except websockets.ConnectionClosed as closed:
            print('closed', closed.rcvd, flush=True)
asyncio.run(main(sys.argv[1], sys.argv[2]))
`

test('python3-websockets: frames as they come, and no close frame when the device is removed', async () => {
  const user = await app.addUser()
  const device = await addApp(app, user)
  const url = `${app.url.replace('http', 'ws')}/ntfy/inbox/ws`
  const authorization = appHeaders(device).authorization ?? ''
  const python = spawn('python3', ['-c', PYTHON_CLIENT, url, authorization], {
    env: { ...process.env, PYTHONPATH: join(folder, 'python/usr/lib/python3/dist-packages') },
  })
  const lines: string[] = []
  createInterface(python.stdout).on('line', (line) => lines.push(line))
  await eventually(() => expect(lines).toHaveLength(1))
  expect(JSON.parse(lines[0] as string)).toMatchObject({ event: 'open', topic: 'inbox' })
  expect((await app.post('/notifications', { title: 'T', body: 'B' }, user.token)).body.delivery).toBe('all')
  await eventually(() => expect(lines).toHaveLength(2))
  expect(JSON.parse(lines[1] as string)).toMatchObject({ event: 'message', title: 'T', message: 'B' })
  await app.del(`/devices/${device.id}`, user.token)
  await eventually(() => expect(lines).toHaveLength(3))
  expect(lines[2]).toBe('closed None')
})

type Fetch = (url: string | URL, init: RequestInit) => Promise<Response>
type Source = { onmessage: (message: { data: string }) => void; close(): void }
type SourceClass = new (url: string, options: { fetch: Fetch }) => Source

test('eventsource: messages without a name, as ntfy’s own web app reads them', async () => {
  const user = await app.addUser()
  const device = await addApp(app, user)
  const file = pathToFileURL(join(folder, 'node_modules/eventsource/dist/index.js')).href
  const { EventSource } = (await import(/* @vite-ignore */ file)) as { EventSource: SourceClass }
  const source = new EventSource(`${app.url}/ntfy/inbox/sse?since=all`, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...appHeaders(device) } }),
  })
  const titles: string[] = []
  source.onmessage = ({ data }) => titles.push(JSON.parse(data).title)
  await app.post('/notifications', { title: 'One', body: 'B' }, user.token)
  await eventually(() => expect(titles).toEqual(['One']))
  source.close()
})

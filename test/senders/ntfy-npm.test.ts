// The npm package ntfy, a client for Node.js.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'

type Publish = (config: Record<string, unknown>) => Promise<{ id: string; topic: string; message: string }>

const app = useTestApp()
let folder: string
let publish: Publish
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
  await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', 'ntfy@1.15.6'])
  const client = pathToFileURL(join(folder, 'node_modules/ntfy/dist/index.js')).href
  publish = ((await import(/* @vite-ignore */ client)) as { publish: Publish }).publish
})
afterAll(() => rm(folder, { recursive: true, force: true }))

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

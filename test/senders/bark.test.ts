// Senders of Bark: the provider of Uptime Kuma, out of its package, and the calls with curl that the documentation of Bark has.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../support/app.ts'

const run = promisify(execFile)
const app = useTestApp()

const newest = async (user: TestUser) => (await app.get('/notifications?limit=1', user.token)).body.items[0]

// The address that a person puts into a sender.
async function addressFor(user: TestUser): Promise<{ address: string; key: string }> {
  const { id } = (await app.post('/integrations/keys', { name: 'Sender' }, user.token)).body
  const { token } = (await app.post(`/integrations/keys/${id}/aliases`, { door: 'bark' }, user.token)).body
  return { address: `${app.url}/bark/${token}`, key: token }
}

describe('Uptime Kuma', () => {
  type Provider = { send(settings: object, message: string, monitor?: object, heartbeat?: object): Promise<string> }
  let folder: string
  let provider: Provider
  // Only what the provider needs: the package with all its dependencies is a server.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
    const npm = (...options: string[]) => run('npm', options, { cwd: folder })
    await npm('install', '--prefix', folder, '--no-audit', '--no-fund', 'axios@0.27.2', 'dayjs@1.11.13')
    await npm('pack', 'uptime-kuma@2.0.0-dev.0')
    await run('tar', ['xzf', 'uptime-kuma-2.0.0-dev.0.tgz'], { cwd: folder })
    const Bark = createRequire(join(folder, 'package.json'))('./package/server/notification-providers/bark.js')
    provider = new Bark()
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each([
    [0, 'UptimeKuma Monitor Down'],
    [1, 'UptimeKuma Monitor Up'],
  ])('reports a monitor with status %i as "%s"', async (status, title) => {
    const user = await app.addUser()
    const { address } = await addressFor(user)
    const settings = { barkEndpoint: `${address}/`, barkGroup: 'Server room', barkSound: 'alarm' }
    await provider.send(settings, '[db/01] 50 % slower: connect ETIMEDOUT?', {}, { status })
    expect(await newest(user)).toMatchObject({
      title,
      body: '[db/01] 50 % slower: connect ETIMEDOUT?',
      source: 'server-room',
      source_display_name: 'Server room',
      sound: 'alert',
      icon_url: expect.stringContaining('uptime-kuma'),
    })
  })

  test('reports a key that is refused', async () => {
    const endpoint = { barkEndpoint: `${app.url}/bark/2222222222222222222222` }
    await expect(provider.send(endpoint, 'A test')).rejects.toThrow('400')
  })
})

test('curl, in the forms of the documentation of Bark', async () => {
  const user = await app.addUser()
  const { address, key } = await addressFor(user)
  const curl = async (...options: string[]) => JSON.parse((await run('curl', ['-s', ...options])).stdout)
  const json = ['-H', 'Content-Type: application/json; charset=utf-8', '-d']
  const sent = { code: 200, message: 'success', timestamp: expect.any(Number) }

  expect(await curl(`${address}/Water?group=house&copy=4711`)).toEqual(sent)
  expect(await newest(user)).toMatchObject({ title: 'Sender', body: 'Water', source: 'house' })

  expect(await curl('-X', 'POST', address, '-d', 'body=Water&group=house&copy=4711')).toEqual(sent)
  expect(await newest(user)).toMatchObject({ body: 'Water', source: 'house' })

  const message = { body: 'Level 90 %', title: 'Water', badge: 1, sound: 'minuet', url: 'https://a.example/1' }
  expect(await curl('-X', 'POST', address, ...json, JSON.stringify(message))).toEqual(sent)
  expect(await newest(user)).toMatchObject({ title: 'Water', body: 'Level 90 %', url: 'https://a.example/1' })

  const marked = { markdown: 'Level  \n**90 %**', title: 'Water', device_key: key }
  expect(await curl('-X', 'POST', `${app.url}/bark/push`, ...json, JSON.stringify(marked))).toEqual(sent)
  expect(await newest(user)).toMatchObject({ title: 'Water', body: marked.markdown, format: 'markdown' })

  expect(await curl(`${address}/Water/Level/90%20%25?level=critical&volume=5`)).toEqual(sent)
  expect(await newest(user)).toMatchObject({ subtitle: 'Level', body: '90 %', level: 'critical' })

  expect(
    await curl('--data-urlencode', 'ciphertext=+aPt5cwN9GbTLLSFri60l==', '-d', 'iv=1234567890123456', address),
  ).toEqual(sent)
  expect(await newest(user)).toMatchObject({ title: 'Encrypted notification' })
})

// Prometheus Alertmanager, from Debian's package prometheus-alertmanager: the machine's own, or unpacked into a folder of
// the test.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { addHook, type TestHook } from '../support/hooks/hook.ts'
import { unpackFromDebian } from './debian-package.ts'

const PROGRAM = 'usr/bin/prometheus-alertmanager'
const isPossible = existsSync(`/${PROGRAM}`) || existsSync('/usr/bin/apt-get')

const app = useTestApp()
let folder: string
let command: string[]
let alertmanager: ChildProcess | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-sender-'))
  if (isPossible) command = existsSync(`/${PROGRAM}`) ? [`/${PROGRAM}`] : await unpack()
})
afterAll(async () => {
  if (alertmanager?.kill()) await once(alertmanager, 'exit')
  await rm(folder, { recursive: true, force: true })
})

// Debian's program reads its templates from /usr/share, so it gets a /usr/share of its own.
const IN_FOLDER = `mount --bind "$0/usr/share" /usr/share && exec "$0/${PROGRAM}" "$@"`

async function unpack(): Promise<string[]> {
  await unpackFromDebian(['prometheus-alertmanager'], folder)
  return ['unshare', '-rm', 'sh', '-c', IN_FOLDER, folder]
}

// Repeats after two seconds what real installations repeat after hours.
const configFor = ({ url }: TestHook) => `
route: { receiver: phone, group_by: [alertname], group_wait: 0s, group_interval: 1s, repeat_interval: 2s }
receivers:
  - name: phone
    webhook_configs: [{ url: "${url}", send_resolved: true }]
`

async function start(hook: TestHook): Promise<string> {
  const config = join(folder, 'alertmanager.yml')
  await writeFile(config, configFor(hook))
  const address = `127.0.0.1:${await freePort()}`
  const options = [`--config.file=${config}`, `--storage.path=${folder}`, `--web.listen-address=${address}`]
  const [program = '', ...first] = command
  alertmanager = spawn(program, [...first, ...options, '--cluster.listen-address='], { stdio: 'ignore' })
  const url = `http://${address}`
  await eventually(async () => expect((await fetch(`${url}/-/ready`).catch(() => undefined))?.status).toBe(200))
  return url
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const alert = (endsAt?: string) => [
  {
    labels: { alertname: 'TankLow', severity: 'critical', instance: 'pump1' },
    annotations: { summary: 'Tank of pump1 is low' },
    generatorURL: 'http://prometheus.example/graph',
    ...(endsAt && { endsAt }),
  },
]

const post = (url: string, alerts: object[]) =>
  fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alerts),
  })

describe.skipIf(!isPossible)('Alertmanager', () => {
  test('fires, repeats and resolves', async () => {
    const hook = await addHook(app, { kind: 'alertmanager', options: { acknowledge_from: 'critical' } })
    const url = await start(hook)
    const inbox = async () => (await app.get('/notifications', hook.user.token)).body.items
    const receiptOf = async (id: number) => (await app.get(`/notifications/receipts/${id}`, hook.user.token)).body

    expect((await post(url, alert())).status).toBe(200)
    await eventually(async () => expect((await inbox()).length).toBeGreaterThan(1))
    const fired = (await inbox()).at(-1)
    expect(fired).toMatchObject({
      title: 'TankLow',
      body: 'Tank of pump1 is low',
      level: 'critical',
      url: 'http://prometheus.example/graph',
      actions: expect.arrayContaining([expect.objectContaining({ title: 'Silence' })]),
    })
    // The repeat has replaced the alert that waits to be acknowledged.
    expect(await receiptOf(fired.id)).toMatchObject({ status: 'canceled', cancel_reason: 'superseded' })

    await post(url, alert(new Date(Date.now() - 1000).toISOString()))
    await eventually(async () => expect((await inbox())[0].title).toBe('Resolved: TankLow'))
    const [resolved, ...before] = await inbox()
    expect(resolved).toMatchObject({ level: 'passive' })
    expect(resolved).not.toHaveProperty('read_at')
    for (const { id, read_at } of before) {
      expect([read_at, (await receiptOf(id)).status]).toEqual([expect.any(String), 'canceled'])
    }
    for (const { outcome } of await hook.requests()) expect(outcome).toMatchObject({ result: 'sent' })
  })
})

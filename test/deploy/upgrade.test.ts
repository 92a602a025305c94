// An upgrade from a release to the next one under load, and the rollback, as docs/upgrade.md says: everything that was answered is
// there once, and after the rollback everything that was answered before the backup.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient, NoAnswer } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { freePort } from '../support/fakes/free-port.ts'
import { emptyFolder, type RunningProcess, runNode, startHeliograph } from '../support/heliograph-process.ts'
import { type Release, useTwoReleases } from './two-releases.ts'

const SENDERS = 4
const RETRY_MS = 50

const releases = useTwoReleases()

test.each([
  ['sqlite', 1],
  ['postgres', 2],
] as const)(
  'on %s nothing is lost by an upgrade, and nothing of before the backup by a rollback',
  async (kind, count) => {
    const { older, newer } = releases()
    const environment = await emptyDatabase(kind)
    const run = ({ main }: Release, more: Environment, ...args: string[]) =>
      runNode([main, ...args], { environment: { ...environment, ...more } })
    const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
    const serve = ({ main }: Release, port = 0, more: Environment = {}) =>
      startHeliograph(['serve'], { main, environment: { ...environment, HELIOGRAPH_PORT: String(port), ...more } })

    const nodes: RunningProcess[] = []
    for (const port of ports) nodes.push(await serve(older, port))
    const { stdout } = await run(older, {}, 'user', 'add', 'anna', '--plan', 'paid', '--json')
    const { token, default_key: key } = JSON.parse(stdout)
    const load = keepSending(
      ports.map((port) => `http://127.0.0.1:${port}`),
      key,
    )
    await load.untilAnswered(200)

    const backup = join(emptyFolder(), 'before-upgrade.backup')
    const beforeBackup = load.answered()
    expect(await run(older, {}, 'backup', backup)).toMatchObject({ code: 0 })
    await load.untilAnswered(100)

    // One node after the other. On SQLite there is one, and senders repeat until the new version serves.
    for (const [index, port] of ports.entries()) {
      expect(await nodes[index]?.end('SIGTERM')).toMatchObject({ code: 0 })
      nodes[index] = await serve(newer, port)
      await load.untilAnswered(100)
    }
    expect(nodes[0]?.output()).toContain('9999-next')
    const { failures, repeats } = await load.end()
    const answered = load.answered()
    expect(failures).toEqual([])
    expect((await titlesAt(ports[0] as number, token)).toSorted()).toEqual(answered.toSorted())

    for (const node of nodes) await node.end('SIGTERM')
    const refused = await run(older, {}, 'serve')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('the database was made by a newer Heliograph')
    const restored = await emptyDatabase(kind)
    expect(await run(older, restored, 'restore', backup)).toMatchObject({ code: 0 })
    const port = await freePort()
    await serve(older, port, restored)
    const kept = await titlesAt(port, token)
    expect(kept).toEqual(expect.arrayContaining(beforeBackup))
    expect(answered).toEqual(expect.arrayContaining(kept))
    expect((await send(`http://127.0.0.1:${port}`, key, 'after')).status).toBe(201)
    console.log(
      `${kind}: ${older.version} to ${newer.version} with ${answered.length} notifications, ${repeats} repeated requests, 0 lost; ` +
        `rolled back to ${kept.length}, of which ${beforeBackup.length} were answered before the backup began, 0 lost`,
    )
  },
)

async function emptyDatabase(kind: 'sqlite' | 'postgres'): Promise<Environment> {
  const database = await createTestDatabase(kind, 'empty')
  onTestFinished(() => database.drop())
  return {
    ...database.environment,
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    HELIOGRAPH_PLANS: '{"paid": {"notifications": "unlimited"}}',
  }
}

const send = (url: string, key: string, title: string) =>
  createClient(url).call('POST', '/notifications', {
    token: key,
    body: { title, body: 'B' },
    headers: { 'idempotency-key': title },
  })

// Clients as docs/reliability.md wants them: what has no answer, or 503, is repeated with the same key, at any node.
function keepSending(urls: string[], key: string) {
  const answered: string[] = []
  const failures: string[] = []
  let repeats = 0
  let isOver = false

  async function sendUntilAnswered(title: string, first: number) {
    for (let attempt = first; ; attempt++) {
      try {
        const { status, text } = await send(urls[attempt % urls.length] as string, key, title)
        if (status === 201) return answered.push(title)
        if (status !== 503) return failures.push(`${status} ${text}`)
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
      }
      repeats++
      await delay(RETRY_MS)
    }
  }

  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let number = 0; !isOver; number++) await sendUntilAnswered(`${sender}-${number}`, sender)
  })
  return {
    answered: () => [...answered],
    async untilAnswered(more: number) {
      const goal = answered.length + more
      while (answered.length < goal && failures.length === 0) await delay(20)
    },
    async end() {
      isOver = true
      await Promise.all(senders)
      return { failures, repeats }
    },
  }
}

async function titlesAt(port: number, token: string): Promise<string[]> {
  const api = createClient(`http://127.0.0.1:${port}`)
  const titles: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/notifications?limit=100${cursor}`, token)
    titles.push(...body.items.map(({ title }: { title: string }) => title))
    if (!body.next_cursor) return titles
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

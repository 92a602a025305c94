// Several processes on one PostgreSQL: they start together, and are replaced one by one without a failed request.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { type RunningProcess, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { amountOf, measured } from '../support/reliability/measured.ts'

async function emptyPostgres(): Promise<Environment> {
  const database = await createTestDatabase('postgres')
  onTestFinished(() => database.drop())
  return { ...database.environment, HELIOGRAPH_PORT: '0', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' }
}

describe('several nodes', () => {
  test('that start together on an empty database all serve, and one of them prints the sign-in link and key', async () => {
    const environment = await emptyPostgres()
    const nodes = await Promise.all([1, 2, 3].map(() => startHeliograph(['serve'], { environment })))
    expect(nodes.filter((node) => node.output().includes('hlk_'))).toHaveLength(1)
    for (const { url } of nodes) expect((await createClient(url).get('/ready')).status).toBe(200)
  })

  test('a worker runs next to them and stops cleanly', async () => {
    const environment = await emptyPostgres()
    const worker = await startHeliograph(['work'], { environment })
    expect((await runHeliograph(['user', 'list', '--json'], { environment })).stdout).toBe('{"items":[]}\n')
    expect(await worker.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  })

  test(`R52 ${inject('rounds')} restarts, one node at a time, fail no request`, async () => {
    const environment = await emptyPostgres()
    const nodes = [await start(environment), await start(environment)]
    const added = await runHeliograph(['user', 'add', 'anna', '--plan', 'paid', '--json'], { environment })
    const { default_key: key } = JSON.parse(added.stdout)
    const load = keepAsking(nodes, key)
    for (let round = 0; round < inject('rounds'); round++) {
      const index = round % 2
      expect(await nodes[index]?.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
      nodes[index] = await start(environment)
    }
    const { answered, failures } = await load.end()
    expect(failures).toEqual([])
    expect(answered).toBeGreaterThan(100)
    const restarts = amountOf(inject('rounds'), 'restart')
    measured('R52', 'postgres', `${amountOf(answered, 'request')}, ${restarts} of two nodes: none failed`)
  })
})

const start = (environment: Environment) => startHeliograph(['serve'], { environment })

// Like a load balancer: a connection that is refused, or closed before an answer, is retried on the other node.
function keepAsking(nodes: RunningProcess[], key: string) {
  const failures: string[] = []
  let answered = 0
  let over = false

  async function ask(value: number) {
    const content = { template: 'gauge', value, min_value: 0, max_value: 1_000_000 }
    const slug = `w${value % 8}`
    for (let tries = 0; tries < 20; tries++) {
      try {
        const { url } = nodes[(value + tries) % nodes.length] as RunningProcess
        const answer = await fetch(`${url}/widgets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify({ slug, name: 'W', content }),
        })
        const text = await answer.text()
        if (answer.status === 201) answered += 1
        else failures.push(`${answer.status} ${text}`)
        return
      } catch {
        await delay(20)
      }
    }
    failures.push('no node answered')
  }

  const askers = Array.from({ length: 8 }, async (_, asker) => {
    for (let value = asker; !over; value += 8) await ask(value)
  })
  return {
    async end() {
      over = true
      await Promise.all(askers)
      return { answered, failures }
    },
  }
}

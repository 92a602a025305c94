// As many servers on one database as it supports: two on PostgreSQL, one on SQLite, which refuses a second.
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../../src/runtime/config.ts'
import { startTestApp, type TestApp } from './app.ts'
import { isPostgres } from './database/database.ts'

export type TestNodes = {
  // For calls that do not race.
  first: TestApp
  all: TestApp[]
  // Starts all calls before any is answered, spread over the nodes. What a busy machine answers 503 is sent again, as programs do.
  atOnce<Result>(count: number, call: (node: TestApp, index: number) => Promise<Result>): Promise<Result[]>
}

export function useTestNodes(environment: Environment = {}): TestNodes {
  const all: TestApp[] = []
  const nodeAt = (index: number) => all[index % all.length] as TestApp
  beforeAll(async () => {
    const first = await startTestApp(environment)
    all.push(first)
    if (isPostgres()) all.push(await startTestApp(environment, first.database, { clock: first.clock }))
  })
  // The first node owns the database, so it stops last.
  afterAll(async () => {
    for (const node of all.toReversed()) await node.stop()
  })
  return {
    get first() {
      return nodeAt(0)
    },
    all,
    atOnce: (count, call) =>
      Promise.all(Array.from({ length: count }, (_, index) => untilTaken(() => call(nodeAt(index), index)))),
  }
}

const MOST_CALLS = 4

async function untilTaken<Result>(call: () => Promise<Result>): Promise<Result> {
  let result = await call()
  for (let calls = 1; calls < MOST_CALLS && isUnavailable(result); calls++) result = await call()
  return result
}

const isUnavailable = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'status' in result && result.status === 503

// The real service on a real database and a real port, with a clock that the test moves.
import { Agent } from 'undici'
import { afterAll, beforeAll } from 'vitest'
import { type App, startApp } from '../../src/boot/app.ts'
import type { Parts } from '../../src/boot/context.ts'
import type { PlanName } from '../../src/contract/plans.ts'
import type { UserId } from '../../src/domain/caller.ts'
import { addUser, setPlan } from '../../src/operations/accounts/accounts.ts'
import { openChannels } from '../../src/push/channels/channels.ts'
import { type Environment, loadConfig } from '../../src/runtime/config.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createClient, type TestClient } from './client.ts'
import { createTestDatabase, type TestDatabase } from './database/database.ts'
import { assertStoredEvents } from './event-schemas.ts'
import { createTestClock, type TestClock } from './fakes/test-clock.ts'

export type TestUser = { name: string; userId: UserId; token: string; defaultKey: string }
export type TestApp = TestClient & {
  app: App
  clock: TestClock
  database: TestDatabase
  advanceSeconds(seconds: number): void
  // Runs jobs that are due by the test's clock; returns how many ran.
  runDueJobs(): Promise<number>
  addUser(plan?: PlanName): Promise<TestUser>
  // As the operator does.
  setPlan(user: TestUser, plan: PlanName): Promise<void>
  // Creates a key of this user over the API; returns the secret.
  addKey(user: TestUser, body?: Record<string, unknown>): Promise<string>
  stop(): Promise<void>
}

// The general rate limit is off unless a test sets it: all tests of a file send from one address.
const QUIET: Environment = { HELIOGRAPH_PORT: '0', HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0' }

export type TestParts = Partial<Omit<Parts, 'clock'> & { clock: TestClock }>

export async function startTestApp(
  environment: Environment = {},
  database?: TestDatabase,
  parts: TestParts = {},
): Promise<TestApp> {
  const ownDatabase = database ?? (await createTestDatabase())
  const clock = parts.clock ?? createTestClock()
  const config = loadConfig({}, { ...QUIET, ...ownDatabase.environment, ...environment }, 'no-such-file.json')
  // Channels in the process rather than in their thread: a test moves their clock too. push-thread.test.ts and cli/push.test.ts
  // have the thread.
  const app = await startApp(config, { log: createLog('silent', 'json'), openChannels, ...parts, clock })
  const connections = new Agent()
  const client = createClient(app.url, connections)
  let users = 0
  return {
    ...client,
    app,
    clock,
    database: ownDatabase,
    advanceSeconds: clock.advanceSeconds,
    runDueJobs: () => app.worker.runDue(),
    async addUser(plan = 'paid') {
      const name = `user-${++users}-${Math.random().toString(36).slice(2, 8)}`
      const { user, token, defaultKey } = await addUser(app.ctx, name, plan)
      return { name, userId: user.id, token, defaultKey }
    },
    async setPlan({ name }, plan) {
      await setPlan(app.ctx, name, plan)
    },
    async addKey(user, body = {}) {
      const answer = await client.post('/integrations/keys', { name: 'test key', ...body }, user.token)
      if (answer.status !== 201) throw new Error(`cannot create a key: ${JSON.stringify(answer.body)}`)
      return answer.body.key
    },
    async stop() {
      // Idle connections end at once: the app would wait half a second for their next request.
      await Promise.all([app.stop(), connections.destroyed || connections.close()])
      if (!database) await ownDatabase.drop()
    },
  }
}

// One app for all tests of a file; each test brings its own user. At the end, every event that was stored must have the
// schema of its type.
export function useTestApp(environment: Environment = {}, parts: TestParts = {}): TestApp {
  const shared = {} as TestApp
  beforeAll(async () => {
    Object.assign(shared, await startTestApp(environment, undefined, parts))
  })
  afterAll(async () => {
    try {
      await assertStoredEvents(shared.app.ctx.db)
    } finally {
      await shared.stop()
    }
  })
  return shared
}

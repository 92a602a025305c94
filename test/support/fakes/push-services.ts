// Local fakes of APNs and of a web push service, and servers configured to use and trust them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../../../src/runtime/config.ts'
import { startTestApp, type TestApp, type TestParts } from '../app.ts'
import type { TestDatabase } from '../database/database.ts'
import { type FakeApns, startFakeApns } from './fake-apns.ts'
import { type FakeWebPush, startFakeWebPush } from './fake-web-push.ts'
import { createWatchedClock, type WatchedClock } from './watched-clock.ts'

export const BUNDLE_ID = 'org.example.heliograph'

export type PushServices = {
  apns: FakeApns
  webPush: FakeWebPush
  clock: WatchedClock
  settings: Environment
  // A server that uses them, on a new database or a given one.
  startNode(environment?: Environment, database?: TestDatabase, parts?: TestParts): Promise<TestApp>
  close(): Promise<void>
}

// `otherCa`: certificates of further servers that the service trusts.
export async function startPushServices(otherCa = ''): Promise<PushServices> {
  const clock = createWatchedClock(nowOrTenHoursAgo())
  const apns = await startFakeApns({ now: clock.now })
  const webPush = await startFakeWebPush()
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-apns-'))
  const keyFile = join(folder, 'key.p8')
  writeFileSync(keyFile, apns.provider.key)
  const own: Environment = {
    HELIOGRAPH_APNS_KEY_FILE: keyFile,
    HELIOGRAPH_APNS_KEY_ID: apns.provider.keyId,
    HELIOGRAPH_APNS_TEAM_ID: apns.provider.teamId,
    HELIOGRAPH_APNS_TOPIC: BUNDLE_ID,
    HELIOGRAPH_APNS_URL: apns.url,
    HELIOGRAPH_APNS_SANDBOX_URL: apns.url,
    HELIOGRAPH_OUTBOUND_ALLOW: '127.0.0.1',
  }
  return {
    apns,
    webPush,
    clock,
    settings: own,
    startNode: (environment, database, parts) =>
      startTestApp({ ...own, ...environment }, database, { clock, ca: apns.ca + webPush.ca + otherCa, ...parts }),
    async close() {
      await Promise.all([apns.close(), webPush.close()])
      rmSync(folder, { recursive: true })
    },
  }
}

// Near the real time, because the browser's side checks the VAPID token, valid for 12 hours, by the real clock; and
// hours before midnight, because daily quotas reset then.
function nowOrTenHoursAgo(): string {
  const now = new Date()
  const hoursBack = now.getUTCHours() < 12 ? 0 : 10
  return new Date(now.getTime() - hoursBack * 3_600_000).toISOString()
}

export type PushApp = TestApp & PushServices

// Moves the clock second by second, and lets bytes on the wire arrive in between: after one large jump, a request that
// was answered immediately would seem unanswered for the length of the jump.
export async function letPass({ clock, get }: Pick<TestApp, 'clock' | 'get'>, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 1) {
    clock.advanceSeconds(Math.min(left, 1))
    await get('/health')
  }
}

// One server with its push services for all tests of a file; each test adds its own user and devices.
export function usePushApp(environment: Environment = {}): PushApp {
  const shared = {} as PushApp
  let services: PushServices
  beforeAll(async () => {
    services = await startPushServices()
    Object.assign(shared, services, await services.startNode(environment))
  })
  afterAll(async () => {
    // Closed first, so that no push waits for an answer when the server stops.
    await services.close()
    await shared.stop()
  })
  return shared
}

// An APNs channel on a fake APNs, with a clock that the test moves and all log lines recorded.
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { PushResult } from '../../../src/domain/push.ts'
import { type ApnsOptions, type OpenApns, openApns } from '../../../src/push/channels/apns/apns.ts'
import type { ApnsPush } from '../../../src/push/channels/apns/request.ts'
import { type FakeApns, type FakeApnsOptions, startFakeApns } from '../fakes/fake-apns.ts'
import { createTestClock, type TestClock } from '../fakes/test-clock.ts'

type LogLine = {
  level: number
  msg: string
  reason?: string
  ending?: string
  times?: number
  environment?: string
}

type ApnsRig = {
  channel: OpenApns
  clock: TestClock
  lines: LogLine[]
  // Log lines of level error and above, which an operator must act on.
  alarms(): LogLine[]
  push(push?: Partial<ApnsPush>): Promise<PushResult>
}

// A channel with its own fake APNs.
export async function startApnsRig(options: FakeApnsOptions = {}) {
  const clock = createTestClock()
  const fake = await startFakeApns({ now: clock.now, ...options })
  onTestFinished(() => fake.close())
  return {
    fake,
    ...openApnsRig(fake, { clock }),
    // The tokens requested on a connection, and the connections on which pushes for a token were accepted.
    tokensOn: (connection: number) =>
      fake.requests.filter((request) => request.connection === connection).map((request) => request.token),
    acceptedOn: (token: string) =>
      fake.requests.filter((request) => request.token === token && request.isAccepted).map((one) => one.connection),
  }
}

export function openApnsRig(fake: FakeApns, options: Partial<ApnsOptions> & { clock?: TestClock } = {}): ApnsRig {
  const clock = options.clock ?? createTestClock()
  const lines: LogLine[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const channel = openApns({
    ...fake.provider,
    topic: 'org.example.app',
    productionUrl: fake.url,
    sandboxUrl: fake.url,
    log,
    tls: { ca: fake.ca },
    ...options,
    clock,
  })
  onTestFinished(() => closeNow(channel, clock))
  return {
    channel,
    clock,
    lines,
    alarms: () => lines.filter((line) => line.level >= 50),
    push: (push) => channel.push(examplePush(push)),
  }
}

let pushes = 0

export function examplePush(push: Partial<ApnsPush> = {}): ApnsPush {
  pushes += 1
  return {
    environment: 'production',
    token: `${pushes}`.padStart(64, 'a'),
    type: 'alert',
    id: `00000000-0000-5000-8000-${`${pushes}`.padStart(12, '0')}`,
    priority: 10,
    payload: '{"aps":{"alert":{"title":"Hello"}}}',
    ...push,
  }
}

// Moves the clock past the grace period, so that a connection a test has frozen ends too.
async function closeNow(channel: OpenApns, clock: TestClock): Promise<void> {
  const closed = channel.close()
  clock.advanceSeconds(6)
  await closed
}

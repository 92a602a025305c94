// R37: 100,000 bad requests, generated from our own OpenAPI document, to a server on each database: none is answered with
// 5xx, none ends the process, and they leak no memory. It needs Linux, which reports the memory of a process in /proc.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { mailSettings } from '../support/fakes/mail.ts'
import { createFaultFinder } from '../support/generated/fault-of.ts'
import { TEST_SEED } from '../support/generated/fixed-seed.ts'
import { type ApiDescription, type GeneratedRequest, requestArbitrary } from '../support/generated/request-arbitrary.ts'
import { createAgent, sendGenerated } from '../support/generated/send-generated.ts'
import { runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { counted, measured } from '../support/reliability/measured.ts'

const COLLECT_GARBAGE = new URL('../support/collect-garbage.mjs', import.meta.url).href
const REQUESTS = 10_000 * inject('rounds')
// The heap has its size after these.
const WARM_UP = 10_000
const AT_ONCE = 16
const DIFFERENT = Math.min(REQUESTS, 20_000)
const MOST_GROWTH_MB = 50
const MOST_PEAK_MB = 450

const repeat = (count: number, entry: string) => Array.from({ length: count }, () => entry).join(',')
const LARGE: Pick<GeneratedRequest, 'method' | 'path'>[] = [
  { method: 'POST', path: '/answers/x' },
  { method: 'POST', path: '/notifications/read' },
  { method: 'PATCH', path: '/activities/a' },
]
const LARGE_BODIES = [
  `{"ids":[${repeat(400_000, '0')}]}`,
  `{"ids":[${repeat(15_000, '{"a":"\\u0000"}')}]}`,
  `{"content":{"x":"${'x'.repeat(900_000)}"}}`,
].map((body) => Buffer.from(body))

// VmRSS is the current resident memory, VmHWM its peak.
function residentMb(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

// After a full garbage collection, because Node 24 lets garbage grow by 100 MB before it collects it. The lowest of several
// readings, because pages are returned to the system a little later.
async function settledMb(pid: number): Promise<number> {
  const readings: number[] = []
  process.kill(pid, 'SIGUSR2')
  for (let i = 0; i < 10; i++) {
    readings.push(residentMb(pid, 'VmRSS'))
    await delay(100)
  }
  return Math.min(...readings)
}

function* everyRequest(requests: GeneratedRequest[]): Generator<GeneratedRequest> {
  for (let i = 0; i < REQUESTS; i++) {
    const large = LARGE[(i / 100) % LARGE.length]
    const body = LARGE_BODIES[Math.floor(i / 300) % LARGE_BODIES.length]
    const headers = { 'content-type': 'application/json' }
    if (large) yield { ...large, caller: 'user', headers, body }
    else yield requests[i % requests.length] as GeneratedRequest
  }
}

describe.each(['sqlite', 'postgres'] as const)('R37 on %s', (kind) => {
  test(`${REQUESTS} bad requests: no 5xx, and less than ${MOST_GROWTH_MB} MB left behind`, async () => {
    const { server, token } = await startServer(kind)
    const api: ApiDescription = (await createClient(server.url).get('/openapi.json')).body
    const faultOf = createFaultFinder(api)
    const agent = createAgent()
    const queue = everyRequest(sampleRequests(api))
    const faults: object[] = []
    let sent = 0
    const flood = async (until: number) => {
      const senders = Array.from({ length: AT_ONCE }, async () => {
        while (sent < until) {
          const { value: generated } = queue.next() as { value: GeneratedRequest }
          sent++
          // A request must not revoke the token of the account.
          const keeps = generated.caller === 'user' && !/^\/auth\/(?:token|session)/.test(generated.path)
          const answer = await sendGenerated(server.url, agent, generated, keeps ? token : undefined)
          const fault = faultOf(generated, answer)
          if (fault) faults.push({ fault, ...generated, body: generated.body?.toString().slice(0, 1000) })
        }
      })
      await Promise.all(senders)
    }

    await flood(WARM_UP)
    const warmMb = await settledMb(server.pid)
    await flood(REQUESTS)
    const afterMb = await settledMb(server.pid)
    const peakMb = residentMb(server.pid, 'VmHWM')
    agent.destroy()
    expect(faults.slice(0, 5), `seed ${TEST_SEED}`).toEqual([])
    expect((await server.end('SIGTERM')).code).toBe(0)
    const memory = `${warmMb} MB after the first ${counted(WARM_UP)}, ${peakMb} MB at most, ${afterMb} MB at the end`
    expect(afterMb - warmMb, memory).toBeLessThan(MOST_GROWTH_MB)
    expect(peakMb, memory).toBeLessThan(MOST_PEAK_MB)
    measured('R37', kind, `${counted(sent)} bad requests: no 5xx, no restart; ${memory}`)
  })
})

// Optional features are on, so that a 503 would be a failure.
async function startServer(kind: 'sqlite' | 'postgres') {
  const database = await createTestDatabase(kind)
  onTestFinished(() => database.drop())
  const environment = {
    ...database.environment,
    ...mailSettings(1),
    HELIOGRAPH_APPLE_AUDIENCE: 'org.example',
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    NODE_OPTIONS: `--import ${COLLECT_GARBAGE}`,
  }
  const { stdout } = await runHeliograph(['user', 'add', 'someone', '--plan', 'paid', '--json'], { environment })
  return { server: await startHeliograph(['serve'], { environment }), token: JSON.parse(stdout).token as string }
}

// A granted wait would block a sender.
const sampleRequests = (api: ApiDescription) =>
  fc
    .sample(requestArbitrary(api, ['user', 'user', 'user', 'none'], {}), { seed: TEST_SEED, numRuns: DIFFERENT })
    .filter(({ path }) => !path.includes('wait='))

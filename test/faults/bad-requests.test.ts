// R37: a flood of bad requests leaks no memory. With 10 rounds it ends after 100,000 requests or 50 seconds. It needs Linux,
// which reports the memory of a process in /proc.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { createClient } from '../support/client.ts'
import { type ApiDescription, type GeneratedRequest, requestArbitrary } from '../support/generated/request-arbitrary.ts'
import { createAgent, sendGenerated } from '../support/generated/send-generated.ts'
import { emptyFolder, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { counted, measured } from '../support/reliability/measured.ts'

const COLLECT_GARBAGE = new URL('../support/collect-garbage.mjs', import.meta.url).href
const REQUESTS = 10_000 * inject('rounds')
const LONGEST_MS = 2500 * inject('rounds')
// The heap has its size after these.
const WARM_UP = 10_000
const LONGEST_WARM_UP_MS = 25_000
const AT_ONCE = 16
const DIFFERENT = 4000
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

test(`R37: ${REQUESTS} bad requests leave less than ${MOST_GROWTH_MB} MB behind`, { timeout: 180_000 }, async () => {
  const environment = {
    HELIOGRAPH_DATA_DIR: emptyFolder(),
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    NODE_OPTIONS: `--import ${COLLECT_GARBAGE}`,
  }
  const { stdout } = await runHeliograph(['user', 'add', 'someone', '--plan', 'paid'], { environment })
  const token = /hla_\w+/.exec(stdout)?.[0] as string
  const server = await startHeliograph(['serve'], { environment })
  const api: ApiDescription = (await createClient(server.url).get('/openapi.json')).body
  const requests = fc
    .sample(requestArbitrary(api, ['user', 'user', 'user', 'none'], {}), { seed: 37, numRuns: DIFFERENT })
    // A wait would block a sender.
    .filter(({ path }) => !path.includes('wait='))

  const freshMb = await settledMb(server.pid)

  const agent = createAgent()
  const queue = everyRequest(requests)
  let sent = 0
  const flood = async (until: number, longestMs: number) => {
    const endAt = Date.now() + longestMs
    const senders = Array.from({ length: AT_ONCE }, async () => {
      while (sent < until && Date.now() < endAt) {
        const { value: generated } = queue.next() as { value: GeneratedRequest }
        sent++
        // A request must not revoke the token of the account.
        const keeps = generated.caller === 'user' && !/^\/auth\/(?:token|session)/.test(generated.path)
        await sendGenerated(server.url, agent, generated, keeps ? token : undefined)
      }
    })
    await Promise.all(senders)
  }

  await flood(WARM_UP, LONGEST_WARM_UP_MS)
  const warmMb = await settledMb(server.pid)
  await flood(REQUESTS, LONGEST_MS)
  const afterMb = await settledMb(server.pid)
  const peakMb = residentMb(server.pid, 'VmHWM')
  agent.destroy()
  const figures = `${freshMb} MB before, ${warmMb} MB after the first ${WARM_UP}, ${peakMb} MB at most, ${afterMb} MB at the end`
  expect((await server.end('SIGTERM')).code).toBe(0)
  expect(afterMb - warmMb, figures).toBeLessThan(MOST_GROWTH_MB)
  expect(peakMb, figures).toBeLessThan(MOST_PEAK_MB)
  measured('R37', 'sqlite', `${counted(sent)} bad requests: ${figures}`)
})

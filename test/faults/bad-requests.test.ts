// R37: 100,000 bad requests, generated from our own OpenAPI document, to a server on each database: none is answered with
// 5xx, none ends the process, and they leak no memory. It needs Linux, which reports the memory of a process in /proc.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createClient, type TestClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { mailSettings } from '../support/fakes/mail.ts'
import { createFaultFinder } from '../support/generated/fault-of.ts'
import { TEST_SEED } from '../support/generated/fixed-seed.ts'
import { type ApiDescription, type GeneratedRequest, requestArbitrary } from '../support/generated/request-arbitrary.ts'
import { createAgent, sendGenerated } from '../support/generated/send-generated.ts'
import { type RunningProcess, runHeliograph, startHeliograph } from '../support/heliograph-process.ts'
import { isMachineFree } from '../support/reliability/machine-load.ts'
import { counted, measured } from '../support/reliability/measured.ts'

const COLLECT_GARBAGE = new URL('../support/collect-garbage.mjs', import.meta.url).href
// The heap has its size after the first portion.
const PORTION = 10_000
const PORTIONS = Math.min(inject('rounds'), 5) * 2
const REQUESTS = PORTION * PORTIONS
const AT_ONCE = 16
// A minute or two for 100,000 on a free machine.
const TIMEOUT_MS = 1_800_000
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
async function settledMb({ pid, output }: RunningProcess): Promise<number> {
  const collections = () => output().split('garbage collected').length - 1
  const [readings, before]: [number[], number] = [[], collections()]
  process.kill(pid, 'SIGUSR2')
  await vi.waitFor(() => expect(collections()).toBeGreaterThan(before), { timeout: 60_000 })
  for (let i = 0; i < 10; i++) {
    readings.push(residentMb(pid, 'VmRSS'))
    await delay(100)
  }
  return Math.min(...readings)
}

describe.each(['sqlite', 'postgres'] as const)('R37 on %s', (kind) => {
  test(`${counted(REQUESTS)} bad requests: no 5xx, and less than ${MOST_GROWTH_MB} MB left behind`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { server, tokens } = await startServer(kind)
    const client = createClient(server.url)
    const api: ApiDescription = (await client.get('/openapi.json')).body
    const faultOf = createFaultFinder(api)
    const generate = createGenerator(api)
    const agent = createAgent()
    const faults: object[] = []
    let refused = 0
    let late = 0
    const send = async (generated: GeneratedRequest, token: string) => {
      // A request must not revoke the token of the account.
      const keeps = generated.caller === 'user' && !/^\/auth\/(?:token|session)/.test(generated.path)
      const answer = await sendGenerated(server.url, agent, generated, keeps ? token : undefined)
      if (answer.status >= 400) refused += 1
      // PostgreSQL may answer too late on a machine that others use as well.
      const isLate = answer.status === 503 && !isMachineFree
      if (isLate) late += 1
      const fault = isLate ? undefined : faultOf(generated, answer)
      if (fault) faults.push({ fault, ...generated, body: generated.body?.toString().slice(0, 1000) })
    }

    let warmMb = 0
    for (const [portion, token] of tokens.entries()) {
      await createTargets(client, token)
      await forEachAtOnce(generate(portion), (generated) => send(generated, token))
      if (portion === 0) warmMb = await settledMb(server)
    }
    const afterMb = await settledMb(server)
    const peakMb = residentMb(server.pid, 'VmHWM')
    agent.destroy()
    expect(faults.slice(0, 5), `seed ${TEST_SEED}`).toEqual([])
    expect((await server.end('SIGTERM')).code).toBe(0)
    const memory = `${warmMb} MB after the first ${counted(PORTION)}, ${peakMb} MB at most, ${afterMb} MB at the end`
    expect(afterMb - warmMb, memory).toBeLessThan(MOST_GROWTH_MB)
    expect(peakMb, memory).toBeLessThan(MOST_PEAK_MB)
    const requests = `${counted(REQUESTS)} generated requests, ${counted(refused)} refused`
    const failed = late > 0 ? `${late} with 503 on a busy machine, no other 5xx` : 'no 5xx'
    measured('R37', kind, `${requests}: ${failed}, no restart; ${memory}`)
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
  const add = ['user', 'add', '--count', String(PORTIONS), '--plan', 'paid', '--json']
  const lines = (await runHeliograph(add, { environment })).stdout.trimEnd().split('\n')
  const tokens = lines.map((line): string => JSON.parse(line).token)
  expect(tokens).toHaveLength(PORTIONS)
  return { server: await startHeliograph(['serve'], { environment }), tokens }
}

// Generated paths have `x` for every id and slug. Each portion has an account of its own, because a portion deletes these and
// uses up the account's limits.
async function createTargets(client: TestClient, token: string): Promise<void> {
  const content = { template: 'value', value: 1 }
  const answers = [
    await client.post('/widgets', { slug: 'x', name: 'X', content }, token),
    await client.patch('/activities/x?upsert=true', { state: 'ongoing' }, token),
    await client.put('/devices/x', { name: 'X', platform: 'android' }, token),
    await client.post('/heartbeats', { slug: 'x', name: 'X', every_seconds: 60, grace_seconds: 60 }, token),
    await client.post(
      '/escalations',
      { slug: 'x', name: 'X', steps: [{ after_seconds: 60, level: 'critical' }] },
      token,
    ),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
}

// Portions are all different. The large requests among them are the same ones again and again.
function createGenerator(api: ApiDescription): (portion: number) => GeneratedRequest[] {
  // A granted wait would block a sender.
  const arbitrary = requestArbitrary(api, ['user', 'user', 'user', 'none'], {}).filter(
    ({ path }) => !path.includes('wait='),
  )
  return (portion) =>
    fc
      .sample(arbitrary, { seed: TEST_SEED + portion, numRuns: PORTION })
      .map((generated, index) => largeRequest(index) ?? generated)
}

// One in a hundred.
function largeRequest(index: number): GeneratedRequest | undefined {
  const large = LARGE[(index / 100) % LARGE.length]
  const body = LARGE_BODIES[Math.floor(index / 300) % LARGE_BODIES.length]
  return large && { ...large, caller: 'user', headers: { 'content-type': 'application/json' }, body }
}

async function forEachAtOnce<T>(items: T[], use: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of rest) await use(item)
    }),
  )
}

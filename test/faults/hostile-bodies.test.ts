// R39: bodies that are cheap to send and expensive to read, on every route, without a token, over 20 connections: the longest
// turn of the event loop in CPU time, and the memory of the process. It needs Linux, which reports memory in /proc.
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database/database.ts'
import { type RunningProcess, startHeliograph } from '../support/heliograph-process.ts'
import { type HostileBody, hostileBodies, sendHostile } from '../support/hostile/bodies.ts'
import { type RegisteredRoute, recordRoutes } from '../support/hostile/routes.ts'
import { measured } from '../support/reliability/measured.ts'

const MONITOR = new URL('../../bench/loop-monitor.mjs', import.meta.url).href
const CONNECTIONS = 20
const CHUNKS = 1_000_000
const LONGEST_TURN_MS = 50
const MOST_MB = 5 * CONNECTIONS
// A turn may contain a garbage collection or the compilation of a function that has become hot, and the memory garbage.
const TRIES = 4

type Row = { body: string; turnMs: number; growthMb: number; statuses: string }
const isWithinBounds = ({ turnMs, growthMb }: Row) => turnMs <= LONGEST_TURN_MS && growthMb <= MOST_MB

describe.each(['sqlite', 'postgres'] as const)('R39 on %s', (kind) => {
  test('hostile bodies on all routes: turns below 50 ms, and less than 5 MB for each connection', async () => {
    const routes = await findRoutes()
    const server = await startServer(kind)
    const bodies = hostileBodies(CHUNKS)
    // Compiles what is used, and lets the heap grow to its size.
    for (const body of bodies) await attack(server, routes, body)
    const restingMb = residentMb(server, 'VmRSS')
    const rows: Row[] = []
    for (const body of bodies) {
      const row = {
        body: `${body.what}, ${body.type.split(';')[0]}`,
        turnMs: Infinity,
        growthMb: Infinity,
        statuses: '',
      }
      for (let tried = 0; tried < TRIES && !isWithinBounds(row); tried++) {
        await longestTurn(server)
        writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
        row.statuses = await attack(server, routes, body)
        row.turnMs = Math.min(row.turnMs, await longestTurn(server))
        row.growthMb = Math.min(row.growthMb, residentMb(server, 'VmHWM') - restingMb)
      }
      rows.push(row)
    }
    console.table(rows.map((row) => ({ ...row, turnMs: Math.round(row.turnMs) })))
    expect((await createClient(server.url).get('/ready')).status).toBe(200)
    expect(rows.filter((row) => !isWithinBounds(row))).toEqual([])
    const turns = `longest turn ${Math.max(...rows.map(({ turnMs }) => turnMs)).toFixed(0)} ms of CPU`
    const memory = `${Math.max(...rows.map(({ growthMb }) => growthMb))} MB more at most`
    measured(
      'R39',
      kind,
      `${rows.length} hostile bodies on ${routes.length} routes, 20 connections: ${turns}, ${memory}`,
    )
  })
})

// All of the server, those of the doors included.
async function findRoutes(): Promise<RegisteredRoute[]> {
  const { routes, stop } = recordRoutes()
  const app = await startTestApp({}, await createTestDatabase('sqlite'))
  stop()
  await app.stop()
  await app.database.drop()
  // They are answered as GET is.
  return routes.filter(({ method }) => method !== 'HEAD')
}

async function startServer(kind: 'sqlite' | 'postgres'): Promise<RunningProcess> {
  const database = await createTestDatabase(kind)
  onTestFinished(() => database.drop())
  const environment = {
    ...database.environment,
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
    HELIOGRAPH_LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import ${MONITOR}`,
  }
  return startHeliograph(['serve'], { environment })
}

// Every request comes from an address of its own, because refused tokens are limited by address. Returns the statuses, each
// with how often it came.
async function attack({ url }: RunningProcess, routes: RegisteredRoute[], body: HostileBody): Promise<string> {
  const statuses = new Map<number, number>()
  let sent = 0
  const queue = routes.values()
  const connections = Array.from({ length: CONNECTIONS }, async () => {
    for (const { method, url: path } of queue) {
      const localAddress = `127.1.${sent >> 8}.${sent++ & 255}`
      const target = { method, path: path.replace(/:\w+|\*/g, 'x'), localAddress }
      const { status } = await sendHostile(url, target, body)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  await Promise.all(connections)
  return [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
}

async function longestTurn({ pid, output }: RunningProcess): Promise<number> {
  const reports = () => [...output().matchAll(/^longest stall (.*)$/gm)].map(([, json]) => JSON.parse(json as string))
  const before = reports().length
  process.kill(pid, 'SIGUSR2')
  await vi.waitFor(() => expect(reports().length).toBeGreaterThan(before), { timeout: 60_000 })
  return reports().at(-1).cpuMs
}

function residentMb({ pid }: RunningProcess, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

// Child processes for tasks: their limits, what they may read, and what becomes of a task whose process ends.
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog } from '../../src/runtime/log.ts'
import { createPictureCache } from '../../src/runtime/pictures/cache.ts'
import { createProcesses } from '../../src/runtime/threads/host.ts'
import { eventually } from '../support/eventually.ts'

const ENTRY = fileURLToPath(new URL('../support/process-entry.mjs', import.meta.url))
const MANIFEST = fileURLToPath(new URL('../../package.json', import.meta.url))

type Task = { name: string; value?: unknown; residentBytes?: number }

const open: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())))

function host(settings: object = {}) {
  const processes = createProcesses<Task, unknown>(createLog('silent', 'json'), {
    name: 'test',
    entry: ENTRY,
    readable: () => [ENTRY],
    heapMb: 64,
    residentMb: 100,
    computeMs: 60_000,
    deadlineMs: 600_000,
    idleMs: 600_000,
    ...settings,
  })
  open.push(processes)
  return processes
}

describe('a process', () => {
  test('runs one task after the other, with bytes in both directions', async () => {
    const { run } = host()
    const value = new Uint8Array([1, 2, 3])
    expect(await Promise.all([1, 2, 3].map((owner) => run(`${owner}`, { name: 'echo', value })))).toEqual([
      { result: value },
      { result: value },
      { result: value },
    ])
  })

  test('reads no file but its own, and has no environment', async () => {
    const { run } = host()
    expect(await run('a', { name: 'read', value: MANIFEST })).toEqual({ result: 'ERR_ACCESS_DENIED' })
    expect(await run('a', { name: 'environment' })).toEqual({ result: [] })
  })

  test('that ends, computes too long or does not answer fails its own task alone', async () => {
    const { run } = host({ computeMs: 300 })
    expect(await run('a', { name: 'exit' })).toEqual({ failure: 'ended' })
    if (process.platform === 'linux') {
      expect(await run('a', { name: 'compute' })).toEqual({ failure: 'computed-too-long' })
    }
    expect(await run('b', { name: 'echo', value: 1 })).toEqual({ result: 1 })
    expect(await host({ deadlineMs: 500 }).run('a', { name: 'sleep' })).toEqual({ failure: 'no-answer' })
  })

  test('is replaced when it has grown too large', async () => {
    const { run } = host()
    expect(await run('a', { name: 'echo', value: 1, residentBytes: 1e9 })).toEqual({ result: 1 })
    expect(await run('a', { name: 'echo', value: 2 })).toEqual({ result: 2 })
  })

  test('ends when there was nothing to do for a while, and is started again', async () => {
    const pids: number[] = []
    const { run } = host({ idleMs: 1, observe: (pid: number, bytes: number) => bytes > 0 && pids.push(pid) })
    const echo = () => run('a', { name: 'echo', value: 1, residentBytes: 1 })
    expect(await echo()).toEqual({ result: 1 })
    await eventually(() => expect(() => process.kill(pids[0] as number, 0)).toThrow('ESRCH'))
    expect(await echo()).toEqual({ result: 1 })
    expect(new Set(pids).size).toBe(2)
  })

  test('has a bounded queue, of one owner and in all', async () => {
    const { run } = host({ waitingPerOwner: 2, waitingInAll: 3 })
    const results = ['a', 'a', 'a', 'a', 'b', 'b'].map((owner) => run(owner, { name: 'echo', value: owner }))
    const outcomes = await Promise.all(results)
    expect(outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : 'result'))).toEqual([
      'result',
      'result',
      'result',
      'too-many',
      'result',
      'too-many',
    ])
  })
})

describe('the memory of pictures', () => {
  test('forgets the least recently used picture, and one owner has a quarter of it', () => {
    const cache = createPictureCache(400)
    const put = (key: string, owner: string, size: number) =>
      cache.set(key, { owner, variant: owner, bytes: Buffer.alloc(size) })
    for (const name of ['1', '2', '3']) put(name, 'a', 40)
    expect([cache.get('1'), cache.get('2')?.length, cache.get('3')?.length]).toEqual([undefined, 40, 40])
    for (const owner of ['b', 'c', 'd']) for (const name of ['1', '2']) put(owner + name, owner, 50)
    expect(cache.bytes()).toBe(380)
    cache.get('2')
    put('e', 'e', 50)
    expect([cache.get('2')?.length, cache.get('3')]).toEqual([40, undefined])
    expect([cache.latestOf('e')?.key, cache.latestOf('a')]).toEqual(['e', undefined])
    put('newer', 'e', 50)
    put('newest', 'e', 50)
    expect([cache.get('e'), cache.latestOf('e')?.key]).toEqual([undefined, 'newest'])
    put('huge', 'f', 101)
    expect(cache.get('huge')).toBeUndefined()
  })
})

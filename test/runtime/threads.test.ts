// Worker threads: a task that hangs or ends its thread fails alone.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../src/runtime/log.ts'
import { createThreads } from '../../src/runtime/threads/host.ts'

const DEADLINE_MS = 60_000

type Task = { task: string; answered?: Int32Array }

function openThreads(options: { threads?: number; computeMs?: number } = {}) {
  const threads = createThreads<Task, string>(createLog('silent', 'json'), {
    name: 'tests',
    entry: new URL('../support/thread-entry.mjs', import.meta.url),
    deadlineMs: DEADLINE_MS,
    ...options,
  })
  onTestFinished(() => threads.close())
  return { ...threads, run: (owner: string, task: string) => threads.run(owner, { task }), runTask: threads.run }
}

test.each([
  ['hang', { computeMs: 50 }, 'computed-too-long'],
  ['exit', {}, 'ended'],
] as const)('of tasks that wait, one that does %s (%j) fails alone with %s', async (task, options, failure) => {
  const threads = openThreads(options)
  const outcomes = await Promise.all([task, 'x', 'y', 'z'].map((one) => threads.run('a', one)))
  expect(outcomes).toEqual([{ failure }, { result: 'x' }, { result: 'y' }, { result: 'z' }])
})

test('a result that arrives while its thread is being ended fails no other task', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const threads = openThreads()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const late = threads.runTask('a', { task: 'late', answered })
  const other = threads.run('b', 'x')
  // In which the tasks are posted.
  await new Promise(process.nextTick)
  // The result has been posted and is not received before this turn of the event loop ends. The deadline passes first.
  Atomics.wait(answered, 0, 0)
  vi.advanceTimersByTime(DEADLINE_MS)
  expect([await late, await other]).toEqual([{ failure: 'no-answer' }, { result: 'x' }])
})

test('a task is not delayed by the one of another owner that hangs', async () => {
  const threads = openThreads({ threads: 2 })
  const hanging = Promise.all(['hang', 'x'].map((task) => threads.run('a', task)))
  expect(await threads.run('b', 'y')).toEqual({ result: 'y' })
  await threads.close()
  expect(await hanging).toEqual([{ failure: 'closed' }, { failure: 'closed' }])
})

test('an owner has at most 100 tasks waiting, and others are not affected', async () => {
  const threads = openThreads()
  const many = Array.from({ length: 102 }, (_, n) => threads.run('a', String(n)))
  expect(await threads.run('b', 'x')).toEqual({ result: 'x' })
  expect((await Promise.all(many)).filter((outcome) => 'failure' in outcome)).toEqual([{ failure: 'too-many' }])
})

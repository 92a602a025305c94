// Threads for tasks that may take too long or too much memory. A thread starts with its first task and runs one task at a time, so
// that ending it fails that task alone. Owners (accounts) take turns, and an owner has one task running at a time: with two
// threads, an owner whose tasks all take too long delays nobody by more than one task.
import { Worker } from 'node:worker_threads'
import { systemClock } from './clock.ts'
import type { Log } from './log.ts'

export type TaskThreads<Task, Result> = {
  // Never rejects.
  run(owner: string, task: Task): Promise<Outcome<Result>>
  close(): Promise<void>
}

export type Outcome<Result> = { result: Result } | { failure: Failure }
// 'computed-too-long': beyond `computeMs`. 'no-answer': beyond `deadlineMs`. 'ended': the thread has failed, mostly for lack of
// memory. 'too-many': of this owner wait already.
export type Failure = 'computed-too-long' | 'no-answer' | 'ended' | 'too-many' | 'closed'

type Options = {
  // For log lines.
  name: string
  entry: URL
  count: number
  // By the clock: for a thread that gets no core of the machine.
  deadlineMs: number
  // By the time that the thread computes, from its message 'begun'. On a busy machine that takes longer than by the clock.
  computeMs?: number
  execArgv?: string[]
}

// What the entry of a thread posts for each task: 'begun' if its computing is limited, then the result.
export type FromThread<Result> = 'begun' | { result: Result }

const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
const MOST_WAITING = 100

type Waiting<Task, Result> = { task: Task; resolve(outcome: Outcome<Result>): void }

export function createTaskThreads<Task, Result>(log: Log, options: Options): TaskThreads<Task, Result> {
  const threads = Array.from({ length: options.count }, () => createThread<Task, Result>(log, options))
  // In the order of the owners' next turns.
  const queues = new Map<string, Waiting<Task, Result>[]>()
  const running = new Set<string>()

  function startNext() {
    const thread = threads.find(({ isBusy }) => !isBusy())
    const owner = [...queues.keys()].find((name) => !running.has(name))
    if (!thread || owner === undefined) return
    const waiting = takeFirst(owner)
    running.add(owner)
    void thread.run(waiting.task).then((outcome) => {
      running.delete(owner)
      moveToEnd(owner)
      waiting.resolve(outcome)
      startNext()
    })
  }

  function takeFirst(owner: string): Waiting<Task, Result> {
    const queue = queues.get(owner) as Waiting<Task, Result>[]
    const first = queue.shift() as Waiting<Task, Result>
    if (queue.length === 0) queues.delete(owner)
    return first
  }

  // Behind those that have waited for this task.
  function moveToEnd(owner: string) {
    const queue = queues.get(owner)
    queues.delete(owner)
    if (queue) queues.set(owner, queue)
  }

  return {
    run: (owner, task) =>
      new Promise((resolve) => {
        const queue = queues.get(owner) ?? []
        if (queue.length >= MOST_WAITING) return resolve({ failure: 'too-many' })
        queue.push({ task, resolve })
        queues.set(owner, queue)
        startNext()
      }),
    async close() {
      for (const { resolve } of [...queues.values()].flat()) resolve({ failure: 'closed' })
      queues.clear()
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

type Running<Result> = { resolve(outcome: Outcome<Result>): void; deadline: NodeJS.Timeout }

function createThread<Task, Result>(log: Log, { name, entry, deadlineMs, computeMs, execArgv }: Options) {
  let worker: Worker | undefined
  let running: Running<Result> | undefined

  function settle(outcome: Outcome<Result>) {
    clearTimeout(running?.deadline)
    worker?.unref()
    running?.resolve(outcome)
    running = undefined
  }

  // Forgets the thread at once: until it has ended, it may still post the result of a task that has failed.
  function end(failure: Failure): Promise<number> | undefined {
    const ended = worker
    worker = undefined
    settle({ failure })
    return ended?.terminate()
  }

  function start(): Worker {
    const started = new Worker(entry, { resourceLimits: MEMORY, execArgv })
    started.on('message', (message: FromThread<Result>) => {
      if (started !== worker) return
      if (message !== 'begun') settle(message)
      else if (computeMs !== undefined && running) void limitComputing(started, running, computeMs)
    })
    // A task that takes all the memory is an expected error.
    started.on('error', (error) => log.warn({ err: error }, `the thread for ${name} has failed`))
    started.on('exit', () => {
      if (started === worker) void end('ended')
    })
    return started
  }

  async function limitComputing(thread: Worker, task: Running<Result>, mostMs: number) {
    const beginMs = await computedMs(thread)
    const look = async () => {
      const leftMs = mostMs - (await computedMs(thread)) + beginMs
      if (running !== task) return
      if (leftMs <= 0) void end('computed-too-long')
      else setTimeout(look, leftMs)
    }
    setTimeout(look, mostMs)
  }

  return {
    isBusy: () => running !== undefined,
    run: (task: Task) =>
      new Promise<Outcome<Result>>((resolve) => {
        worker ??= start()
        worker.ref()
        running = { resolve, deadline: setTimeout(() => void end('no-answer'), deadlineMs) }
        worker.postMessage(task)
      }),
    close: async () => void (await end('closed')),
  }
}

// Older versions than 24.6 do not tell, so that there the limit is one of the clock.
async function computedMs(thread: Worker): Promise<number> {
  if (typeof thread.cpuUsage !== 'function') return systemClock.monotonicMs()
  // Rejects once the thread has ended.
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}

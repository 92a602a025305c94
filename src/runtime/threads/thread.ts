// One worker thread and the tasks that run in it. When it is ended it is forgotten at once, together with its tasks: what it
// still posts concerns nobody.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import { type Log, type LogLevel, relayLine } from '../log.ts'
import { createBatcher, type FromThread, type ToThread, type WorkerData } from './entry.ts'

// What passes between the host and a task that runs.
export type Link<ToTask, FromTask> = {
  // Aborts the `signal` that the task has.
  signal: AbortSignal
  onMessage(message: FromTask, send: (message: ToTask) => void): void
}

export type Outcome<Result> = { result: Result } | { failure: Failure }
// 'computed-too-long': beyond `computeMs`. 'no-answer': beyond `deadlineMs`. 'ended': the thread has failed, mostly for lack of
// memory. 'too-many': of this owner wait already.
export type Failure = 'computed-too-long' | 'no-answer' | 'ended' | 'too-many' | 'closed'

export type ThreadSettings = {
  // For log lines.
  name: string
  entry: URL
  // `data` of the entry. Must be plain.
  data?: unknown
  // The largest heap of a thread. Without it, the default of Node.
  memoryMb?: number
  // By the clock: for a thread that gets no core of the machine.
  deadlineMs?: number
  // By the time that the thread computes for a task. On a busy machine that takes longer than by the clock.
  computeMs?: number
  // The thread ends itself when it is told to close. Without it, the host terminates it.
  closesItself?: boolean
  execArgv?: string[]
}

export type Thread = {
  taskCount(): number
  run(task: unknown, link: Link<unknown, unknown> | undefined, onSettled: (outcome: Outcome<unknown>) => void): void
  close(): Promise<unknown>
}
type Running = {
  link: Link<unknown, unknown> | undefined
  deadline: NodeJS.Timeout | undefined
  settle(outcome: Outcome<unknown>): void
}

export function startThread(log: Log, settings: ThreadSettings, onEnd: () => void): Thread {
  const { name, entry, data, memoryMb, deadlineMs, computeMs, closesItself, execArgv } = settings
  const workerData: WorkerData = { data, logLevel: log.level as LogLevel }
  const resourceLimits = memoryMb ? { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: memoryMb / 4 } : {}
  const worker = new Worker(entry, { workerData, resourceLimits, execArgv })
  const tasks = new Map<number, Running>()
  let lastId = 0
  let isReady = false
  let hasEnded = false

  // nextTick, not setImmediate: the tasks that one commit releases leave in one batch, before new requests are accepted.
  const post = createBatcher<ToThread>(process.nextTick, (batch) => worker.postMessage(batch))

  worker.on('message', (batch: FromThread[]) => batch.forEach(handle))
  worker.on('error', (error: NodeJS.ErrnoException) => {
    // Others can write a task that takes all the memory, so that one is no error of the server.
    const level = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'warn' : 'error'
    log[level]({ err: error }, `the thread for ${name} has failed`)
  })
  worker.on('exit', () => void end('ended'))

  function handle(message: FromThread) {
    if ('logLine' in message) return relayLine(log, message.logLine)
    if ('isReady' in message) {
      isReady = true
      for (const id of tasks.keys()) void limitComputing(id)
      return
    }
    const { id } = message
    if ('result' in message) return settle(id, { result: message.result })
    const sendBack = (reply: unknown) => post({ id, message: reply })
    tasks.get(id)?.link?.onMessage(message.message, sendBack)
  }

  function settle(id: number, outcome: Outcome<unknown>) {
    const task = tasks.get(id)
    if (!task) return
    clearTimeout(task.deadline)
    tasks.delete(id)
    // An idle thread must not keep the process running.
    if (tasks.size === 0) worker.unref()
    task.settle(outcome)
  }

  async function end(failure: Failure) {
    if (hasEnded) return
    hasEnded = true
    onEnd()
    for (const id of tasks.keys()) settle(id, { failure })
    await worker.terminate()
  }

  // From when the thread has the task and has loaded its modules.
  async function limitComputing(id: number) {
    if (computeMs === undefined) return
    const beginMs = await computedMs(worker)
    const look = async () => {
      const leftMs = computeMs - (await computedMs(worker)) + beginMs
      if (!tasks.has(id)) return
      if (leftMs <= 0) void end('computed-too-long')
      else setTimeout(look, leftMs)
    }
    setTimeout(look, computeMs)
  }

  return {
    taskCount: () => tasks.size,
    run(task: unknown, link: Link<unknown, unknown> | undefined, onSettled: (outcome: Outcome<unknown>) => void) {
      assert(!hasEnded, 'a thread that has ended was not forgotten')
      const id = ++lastId
      const deadline = deadlineMs === undefined ? undefined : setTimeout(() => void end('no-answer'), deadlineMs)
      tasks.set(id, { link, deadline, settle: onSettled })
      if (tasks.size === 1) worker.ref()
      post({ id, task })
      if (isReady) void limitComputing(id)
      const abort = () => post({ id, isAborted: true })
      link?.signal.addEventListener('abort', abort)
      if (link?.signal.aborted) abort()
    },
    async close() {
      if (!closesItself) return end('closed')
      const exit = once(worker, 'exit')
      worker.ref()
      post('close')
      await exit
    },
  }
}

// Older versions than 24.6 do not tell, so that there the limit is one of the clock.
async function computedMs(thread: Worker): Promise<number> {
  if (typeof thread.cpuUsage !== 'function') return systemClock.monotonicMs()
  // Rejects once the thread has ended.
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }))
  return (user + system) / 1000
}

// The side of the thread, for the entry file of each kind of thread (host.ts is the other side). Messages are sent in batches:
// waking the other thread costs more than the messages themselves.
import { parentPort, workerData } from 'node:worker_threads'
import type { LogLevel } from '../log.ts'

export type WorkerData = { data: unknown; logLevel: LogLevel }
export type ToThread =
  | { id: number; task: unknown }
  | { id: number; message: unknown }
  | { id: number; isAborted: true }
  | 'close'
export type FromThread =
  | { isReady: true }
  | { logLine: string }
  | { id: number; message: unknown }
  | { id: number; result: unknown }

// What passes between a task and its host.
export type TaskLink<ToTask, FromTask> = {
  signal: AbortSignal
  send(message: FromTask): void
  onMessage?(message: ToTask): void
}

// One batch per turn of the event loop, with all results of that turn.
const post = createBatcher<FromThread>(setImmediate, (batch) => parentPort?.postMessage(batch))

// What the host has for the thread, and the level of its log.
export const { data, logLevel } = (workerData ?? {}) as WorkerData
// A line of `createRelayedLog`.
export const postLogLine = (logLine: string): void => post({ logLine })

// Call it when everything is loaded. A task that fails ends the thread. `close` is for threads that end themselves.
export function serveTasks<Task, Result, ToTask = never, FromTask = never>(
  run: (task: Task, link: TaskLink<ToTask, FromTask>) => Result | Promise<Result>,
  close?: () => Promise<void>,
): void {
  const open = new Map<number, TaskLink<ToTask, FromTask> & { abort: AbortController }>()

  async function begin(id: number, task: Task) {
    const abort = new AbortController()
    const link = { abort, signal: abort.signal, send: (message: FromTask) => post({ id, message }) }
    open.set(id, link)
    const result = await run(task, link)
    open.delete(id)
    post({ id, result })
  }

  async function end() {
    await close?.()
    // Exit after the batch with the last results, which is posted at the end of this turn.
    setImmediate(() => setImmediate(() => process.exit()))
  }

  parentPort?.on('message', (batch: ToThread[]) => {
    for (const message of batch) {
      if (message === 'close') void end()
      else if ('task' in message) void begin(message.id, message.task as Task)
      else if ('isAborted' in message) open.get(message.id)?.abort.abort()
      else open.get(message.id)?.onMessage?.(message.message as ToTask)
    }
  })
  parentPort?.postMessage([{ isReady: true }] satisfies FromThread[])
}

// Collects items until `schedule` runs its callback, then posts them as one batch.
export function createBatcher<Item>(
  schedule: (callback: () => void) => void,
  postBatch: (items: Item[]) => void,
): (item: Item) => void {
  let batch: Item[] = []
  const flush = () => {
    const items = batch
    batch = []
    postBatch(items)
  }
  return (item) => {
    if (batch.length === 0) schedule(flush)
    batch.push(item)
  }
}

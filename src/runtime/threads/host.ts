// Hosts worker threads, or processes, for tasks. A thread starts with its first task, and the next task replaces a thread that has ended.
// Owners (accounts) take turns. With one task per thread, ending the thread fails that task alone, and with two threads an owner
// whose tasks all take too long delays nobody by more than one task.
import assert from 'node:assert/strict'
import { extname } from 'node:path'
import type { Log } from '../log.ts'
import { type ProcessSettings, startProcess } from './process.ts'
import { type Link, type Outcome, startThread, type Thread, type ThreadSettings } from './thread.ts'

export type Threads<Task, Result, ToTask = never, FromTask = never> = {
  // Never rejects.
  run(owner: string, task: Task, link?: Link<ToTask, FromTask>): Promise<Outcome<Result>>
  waiting(): number
  close(): Promise<void>
}

type Counts = {
  threads?: number
  // Tasks that a thread runs at a time, and that one owner has running at a time.
  tasksPerThread?: number
  // Tasks that may wait, of one owner and in all.
  waitingPerOwner?: number
  waitingInAll?: number
}

type Settings = ThreadSettings & Counts

type Waiting<Task, Result, ToTask, FromTask> = {
  task: Task
  link: Link<ToTask, FromTask> | undefined
  resolve(outcome: Outcome<Result>): void
}

const MOST_WAITING = 100

// The file thread-entry beside a module: .js in dist; .ts in the sources, which Node 22.18 and newer can run.
export const entryBeside = (moduleUrl: string): URL => new URL(`./thread-entry${extname(moduleUrl)}`, moduleUrl)

export function createThreads<Task, Result, ToTask = never, FromTask = never>(
  log: Log,
  settings: Settings,
): Threads<Task, Result, ToTask, FromTask> {
  const { tasksPerThread = 1, deadlineMs, computeMs } = settings
  assert(tasksPerThread === 1 || !(deadlineMs || computeMs), 'a late task would end others')
  return createHost((onEnd) => startThread(log, settings, onEnd), settings)
}

export function createProcesses<Task, Result>(log: Log, settings: ProcessSettings & Counts): Threads<Task, Result> {
  return createHost((onEnd) => startProcess(log, settings, onEnd), settings)
}

function createHost<Task, Result, ToTask, FromTask>(
  start: (onEnd: () => void) => Thread,
  counts: Counts,
): Threads<Task, Result, ToTask, FromTask> {
  type Queue = Waiting<Task, Result, ToTask, FromTask>[]
  const { threads: count = 1, tasksPerThread = 1, waitingPerOwner = MOST_WAITING, waitingInAll } = counts
  const threads: (Thread | undefined)[] = Array.from({ length: count })
  // In the order of the owners' next turns.
  const queues = new Map<string, Queue>()
  const running = new Map<string, number>()

  function startNext() {
    const place = threads.findIndex((thread) => (thread?.taskCount() ?? 0) < tasksPerThread)
    const owner = [...queues.keys()].find((name) => runningOf(name) < tasksPerThread)
    if (place < 0 || owner === undefined) return
    const { task, link, resolve } = takeFirst(owner)
    threads[place] ??= start(() => (threads[place] = undefined))
    running.set(owner, runningOf(owner) + 1)
    threads[place].run(task, link as Link<unknown, unknown> | undefined, (outcome) => {
      if (runningOf(owner) === 1) running.delete(owner)
      else running.set(owner, runningOf(owner) - 1)
      moveToEnd(owner)
      resolve(outcome as Outcome<Result>)
      startNext()
    })
  }

  const waiting = () => [...queues.values()].reduce((count, queue) => count + queue.length, 0)

  const runningOf = (owner: string) => running.get(owner) ?? 0

  function takeFirst(owner: string): Queue[number] {
    const queue = queues.get(owner) as Queue
    const first = queue.shift() as Queue[number]
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
    run: (owner, task, link) =>
      new Promise((resolve) => {
        const queue = queues.get(owner) ?? []
        const isFull = waitingInAll !== undefined && waiting() >= waitingInAll
        if (isFull || queue.length >= waitingPerOwner) return resolve({ failure: 'too-many' })
        queue.push({ task, link, resolve })
        queues.set(owner, queue)
        startNext()
      }),
    waiting,
    async close() {
      for (const { resolve } of [...queues.values()].flat()) resolve({ failure: 'closed' })
      queues.clear()
      await Promise.all(threads.map((thread) => thread?.close()))
    },
  }
}

// One child process and the task that runs in it: for work that takes much memory, which a thread would not give back, or that must
// not take the core from others. The host (host.ts) treats it like a thread.
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Log } from '../log.ts'
import type { Failure, Outcome, Thread } from './thread.ts'

export type ProcessSettings = {
  // For log lines.
  name: string
  entry: string
  args?: string[]
  // The files and folders that it may read. It reads no others, writes none and starts no programs.
  readable: () => string[]
  // The largest heap, and the resident memory after which it is replaced between two tasks.
  heapMb: number
  residentMb: number
  // Limits of one task: the time that it computes, and the time in which it must at least have computed a little, because on a busy
  // machine it waits for a core. Where the system does not tell what it computes (it does on Linux), the second is its whole time.
  computeMs: number
  deadlineMs: number
  // It ends this long after its last task.
  idleMs: number
  // Its resident memory after each task, and 0 once it has ended; `hasFailed`: or exceeded a limit.
  observe?: (pid: number, residentBytes: number, hasFailed?: boolean) => void
}

export type ToProcess = { task: unknown }
export type FromProcess = { isReady: true } | { result: unknown; residentBytes: number }

// So that it never takes the core from a request.
const NICENESS = 10
const LOOK_EVERY_MS = 250
const TICK_MS = 10

export function startProcess(log: Log, settings: ProcessSettings, onEnd: () => void): Thread {
  const { name, entry, args = [], readable, heapMb } = settings
  const child = fork(entry, args, {
    execArgv: [
      '--permission',
      ...readable().map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${heapMb}`,
      '--no-warnings',
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let running: ((outcome: Outcome<unknown>) => void) | undefined
  let isReady = false
  let hasEnded = false
  let timers: NodeJS.Timeout[] = []

  child.on('error', (error) => {
    log.error({ err: error }, `the process for ${name} has failed`)
    end('ended')
  })
  child.on('exit', (code) => {
    if (!hasEnded) log.warn({ code }, `the process for ${name} has ended`)
    end('ended')
  })
  child.on('message', (message: FromProcess) => {
    if ('isReady' in message) {
      isReady = true
      if (running) void limitComputing()
      return
    }
    settings.observe?.(child.pid ?? 0, message.residentBytes)
    settle({ result: message.result })
    if (message.residentBytes > settings.residentMb * 1024 * 1024) end('closed')
    else if (!hasEnded) timers.push(setTimeout(() => end('closed'), settings.idleMs).unref())
  })
  lowerPriority(child)
  // An idle process must not keep the server running.
  child.unref()
  child.channel?.unref()

  function settle(outcome: Outcome<unknown>) {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    const resolve = running
    running = undefined
    resolve?.(outcome)
  }

  function end(failure: Failure) {
    if (hasEnded) return
    hasEnded = true
    settings.observe?.(child.pid ?? 0, 0, failure !== 'closed')
    onEnd()
    child.kill('SIGKILL')
    settle({ failure })
  }

  // Ends a process that hangs.
  function watch(computedBeforeMs: number) {
    const watching = setTimeout(async () => {
      const nowMs = (await computedMs(child)) ?? 0
      if (!timers.includes(watching)) return
      if (nowMs > computedBeforeMs) watch(nowMs)
      else end('no-answer')
    }, settings.deadlineMs)
    timers.push(watching)
  }

  async function limitComputing() {
    const beginMs = await computedMs(child)
    if (beginMs === undefined || !running) return
    const look = setInterval(async () => {
      const nowMs = (await computedMs(child)) ?? 0
      if (timers.includes(look) && nowMs - beginMs > settings.computeMs) end('computed-too-long')
    }, LOOK_EVERY_MS)
    timers.push(look)
  }

  return {
    taskCount: () => (running ? 1 : 0),
    run(task, _link, onSettled) {
      // Clears the timer of an idle process.
      settle({ failure: 'closed' })
      running = onSettled
      watch(0)
      child.send({ task } satisfies ToProcess, (error) => error && end('ended'))
      if (isReady) void limitComputing()
    },
    close: async () => end('closed'),
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS)
  } catch {
    // It has ended already, or the system does not allow it.
  }
}

// User and system time of the process, in ticks of 10 ms: the 14th and 15th field, counted after the name in parentheses.
async function computedMs({ pid }: ChildProcess): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

// Templates in a thread of their own, which is ended when a template takes too long or too much memory. It starts with
// the first template. Tasks run one after the other, and accounts take turns.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { type Fields, RENDER_MS, type Rendered, type TemplateScope } from './liquid.ts'

export type ToThread = { fields: Fields; scope?: TemplateScope }
export type FromThread = 'begun' | Rendered | { errors: Record<string, string> }

export type Templates = {
  // Never rejects.
  render(owner: string, fields: Fields, scope: TemplateScope): Promise<Rendered>
  // What is wrong with each template that cannot be parsed.
  check(owner: string, fields: Fields): Promise<Record<string, string>>
  close(): Promise<void>
}

const ENTRY = new URL(`./thread-entry${extname(import.meta.url)}`, import.meta.url)
const MEMORY = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
// A thread that gets no core of the machine.
const STUCK_MS = 10_000
const MOST_WAITING = 100

type Task = { message: ToThread; resolve(result: Exclude<FromThread, 'begun'>): void }

export function createTemplates(log: Log): Templates {
  // In the order of the owners' next turns.
  const queues = new Map<string, Task[]>()
  let worker: Worker | undefined
  let running: Task | undefined
  let deadline: NodeJS.Timeout | undefined
  let killedFor: string | undefined

  function end(result: Exclude<FromThread, 'begun'>) {
    clearTimeout(deadline)
    running?.resolve(result)
    running = undefined
    worker?.unref()
    startNext()
  }

  function kill(reason: string) {
    killedFor = reason
    void worker?.terminate()
  }

  // The library looks at its limit between two steps of a template. One filter can take longer, so the thread is killed when
  // it has computed for RENDER_MS. On a busy machine that takes longer than by the clock.
  async function limitComputing(thread: Worker) {
    const task = running
    const beginMs = await computedMs(thread)
    const look = async () => {
      if (running !== task) return
      const leftMs = RENDER_MS - (await computedMs(thread)) + beginMs
      if (running !== task) return
      if (leftMs <= 0) kill(`The template took too long: it may compute for ${RENDER_MS} ms.`)
      else setTimeout(look, leftMs)
    }
    setTimeout(look, RENDER_MS)
  }

  function start(): Worker {
    const started = new Worker(ENTRY, { resourceLimits: MEMORY })
    started.on('message', (message: FromThread) => (message === 'begun' ? void limitComputing(started) : end(message)))
    // A template that takes all its memory is an expected error.
    started.on('error', (error) => log.warn({ err: error }, 'the thread for templates has failed'))
    started.on('exit', () => {
      worker = undefined
      const error = killedFor ?? 'The template took too much memory.'
      killedFor = undefined
      if (running) end({ error })
    })
    return started
  }

  function startNext() {
    const [owner] = queues.keys()
    if (running || owner === undefined) return
    const queue = queues.get(owner) as Task[]
    running = queue.shift()
    // To the end of the line.
    queues.delete(owner)
    if (queue.length > 0) queues.set(owner, queue)
    worker ??= start()
    worker.ref()
    deadline = setTimeout(() => kill('The template took too long: this machine is too busy.'), STUCK_MS)
    worker.postMessage(running?.message)
  }

  const run = (owner: string, message: ToThread) =>
    new Promise<Exclude<FromThread, 'begun'>>((resolve) => {
      const queue = queues.get(owner) ?? []
      if (queue.length >= MOST_WAITING) return resolve({ error: 'Too many templates of this account wait.' })
      queues.set(owner, [...queue, { message, resolve }])
      startNext()
    })

  return {
    async render(owner, fields, scope) {
      const result = await run(owner, { fields, scope })
      return 'errors' in result ? { error: 'The template was not rendered.' } : result
    },
    async check(owner, fields) {
      const result = await run(owner, { fields })
      return 'errors' in result ? result.errors : { template: 'error' in result ? result.error : 'cannot be parsed' }
    },
    async close() {
      for (const { resolve } of [...queues.values()].flat()) resolve({ error: 'The server stops.' })
      queues.clear()
      await worker?.terminate()
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

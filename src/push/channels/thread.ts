// The channels in a thread of their own: encryption, TLS and HTTP/2 take as long as all the rest of a send, and must not
// hold up those who come in meanwhile. The thread begins with the first push; if it ends, pushes under way are tried
// later, and the next one begins it anew.
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Log, relayLine } from '../../runtime/log.ts'
import type { Outcome } from './channel.ts'
import type { ChannelOptions, Channels } from './channels.ts'
import { type FromThread, gather, type Push, type ThreadOptions, type ToThread } from './thread-messages.ts'

type Thread = { push(push: Push): Promise<Outcome>; close(): Promise<void> }

// From the sources where those run: Node 22.18 and newer strips their types.
export const ENTRY = new URL(`./thread-entry${extname(import.meta.url)}`, import.meta.url)
const ENDED: Outcome = { result: 'try_later', reason: 'the thread for pushes has ended' }

export function openChannelsInThread(channels: ChannelOptions, log: Log): Channels {
  let thread: Thread | undefined
  const push = (what: Push) => {
    thread ??= startThread(channels, log, () => (thread = undefined))
    return thread.push(what)
  }
  return {
    apns: channels.apns && { push: (apns) => push({ apns }) },
    webPush: { push: (webPush) => push({ webPush }) },
    close: async () => thread?.close(),
  }
}

function startThread(channels: ChannelOptions, log: Log, onEnd: () => void): Thread {
  const workerData: ThreadOptions = { channels, logLevel: log.level as ThreadOptions['logLevel'] }
  const worker = new Worker(ENTRY, { workerData })
  const tell = (message: ToThread) => worker.postMessage(message)
  const waiting = new Map<number, (outcome: Outcome) => void>()
  let pushes = 0

  function settle(id: number, outcome: Outcome) {
    waiting.get(id)?.(outcome)
    waiting.delete(id)
  }

  worker.on('message', (message: FromThread) => {
    if ('logLine' in message) relayLine(log, message.logLine)
    else for (const { id, outcome } of message) settle(id, outcome)
  })
  worker.on('error', (error) => log.error({ err: error }, 'the thread for pushes has failed'))
  worker.on('exit', () => {
    onEnd()
    for (const id of waiting.keys()) settle(id, ENDED)
  })
  // Whoever waits for a push keeps the process alive, if anyone does. (A listener for messages would, so this comes last.)
  worker.unref()

  // A commit releases many sends at once, and all have arrived here when their promises are through. `setImmediate` would
  // first let in the requests that wait, and their work.
  const send = gather(process.nextTick, tell)
  return {
    push: (push) =>
      new Promise((resolve) => {
        const id = pushes++
        waiting.set(id, resolve)
        send({ id, push })
      }),
    async close() {
      const exit = once(worker, 'exit')
      worker.ref()
      tell('close')
      await exit
    },
  }
}

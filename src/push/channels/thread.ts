// The channels in a thread of their own: encryption, TLS and HTTP/2 cost as much CPU as the rest of a send, and would delay
// other requests. The thread starts with the first push. If it dies, its open pushes are retried later and the next push
// starts a new thread (docs/decisions/0015-push-thread.md).
import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PushResult } from '../../domain/push.ts'
import { type Log, relayLine } from '../../runtime/log.ts'
import type { ChannelOptions, Channels } from './channels.ts'
import {
  createBatcher,
  type FromThread,
  type ThreadOptions,
  type ThreadPush,
  type ToThread,
} from './thread-messages.ts'

type Thread = { push(push: ThreadPush): Promise<PushResult>; close(): Promise<void> }

// The extension of this file: .js in dist; .ts in the sources, which Node 22.18 and newer can run.
export const ENTRY = new URL(`./thread-entry${extname(import.meta.url)}`, import.meta.url)
const THREAD_ENDED: PushResult = { result: 'try_later', reason: 'the thread for pushes has ended' }

export function openChannelsInThread(channels: ChannelOptions, { log }: { log: Log }): Channels {
  let thread: Thread | undefined
  const push = (what: ThreadPush) => {
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
  const post = (message: ToThread) => worker.postMessage(message)
  const waiting = new Map<number, (result: PushResult) => void>()
  let pushes = 0

  function settle(id: number, result: PushResult) {
    waiting.get(id)?.(result)
    waiting.delete(id)
  }

  worker.on('message', (message: FromThread) => {
    if ('logLine' in message) relayLine(log, message.logLine)
    else for (const { id, result } of message) settle(id, result)
  })
  worker.on('error', (error) => log.error({ err: error }, 'the thread for pushes has failed'))
  worker.on('exit', () => {
    onEnd()
    for (const id of waiting.keys()) settle(id, THREAD_ENDED)
  })
  // An idle push thread must not keep the process running. After the listeners: a 'message' listener refs the thread again.
  worker.unref()

  // nextTick, not setImmediate: the pushes that one commit releases leave in one batch, before new requests are accepted.
  const postBatched = createBatcher(process.nextTick, post)
  return {
    push: (push) =>
      new Promise((resolve) => {
        const id = pushes++
        waiting.set(id, resolve)
        postBatched({ id, push })
      }),
    async close() {
      const exit = once(worker, 'exit')
      worker.ref()
      post('close')
      await exit
    },
  }
}

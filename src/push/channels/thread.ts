// The channels in a thread of their own: encryption, TLS and HTTP/2 cost as much CPU as the rest of a send, and would delay
// other requests. If the thread dies, its open pushes are retried later (docs/decisions/0015-push-thread.md).
import type { PushResult } from '../../domain/push.ts'
import type { Log } from '../../runtime/log.ts'
import { createThreads, entryBeside } from '../../runtime/threads/host.ts'
import type { ApnsPush } from './apns/request.ts'
import type { BarkServerPush } from './bark/bark-server.ts'
import type { ChannelOptions, Channels } from './channels.ts'
import type { WebPush } from './web-push/web-push.ts'

export type ThreadPush = { apns: ApnsPush } | { bark: ApnsPush } | { barkServer: BarkServerPush } | { webPush: WebPush }

export const ENTRY = entryBeside(import.meta.url)
const THREAD_ENDED: PushResult = { result: 'try_later', reason: 'the thread for pushes has ended' }

export function openChannelsInThread(channels: ChannelOptions, { log }: { log: Log }): Channels {
  const threads = createThreads<ThreadPush, PushResult>(log, {
    name: 'pushes',
    entry: ENTRY,
    data: channels,
    tasksPerThread: Number.POSITIVE_INFINITY,
    closesItself: true,
  })
  const push = async (task: ThreadPush) => {
    const outcome = await threads.run('', task)
    return 'result' in outcome ? outcome.result : THREAD_ENDED
  }
  return {
    apns: channels.apns && { push: (apns) => push({ apns }) },
    bark: channels.bark && { push: (bark) => push({ bark }) },
    barkServers: { push: (barkServer) => push({ barkServer }) },
    webPush: { push: (webPush) => push({ webPush }) },
    close: threads.close,
  }
}

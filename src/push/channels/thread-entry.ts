// The entry of the push thread: opens the channels and reports the result of each push.
import { parentPort, workerData } from 'node:worker_threads'
import type { PushResult } from '../../domain/push.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createRelayedLog } from '../../runtime/log.ts'
import { openChannels } from './channels.ts'
import {
  createBatcher,
  type FromThread,
  type ThreadOptions,
  type ThreadPush,
  type ToThread,
} from './thread-messages.ts'

const { channels: options, logLevel } = workerData as ThreadOptions
const post = (message: FromThread) => parentPort?.postMessage(message)
// One batch per turn of the event loop, with all results of that turn.
const report = createBatcher(setImmediate, post)
const log = createRelayedLog(logLevel, (logLine) => post({ logLine }))
const channels = openChannels(options, { clock: systemClock, log })

parentPort?.on('message', async (message: ToThread) => {
  if (message !== 'close') {
    for (const { id, push } of message) void pushOver(push).then((result) => report({ id, result }))
    return
  }
  await channels.close()
  // Exit after the batch with the last results, which is posted at the end of this turn.
  setImmediate(() => setImmediate(() => process.exit()))
})

function pushOver(push: ThreadPush): Promise<PushResult> {
  if ('webPush' in push) return channels.webPush.push(push.webPush)
  if (!channels.apns) throw new Error('this server has no APNs key')
  return channels.apns.push(push.apns)
}

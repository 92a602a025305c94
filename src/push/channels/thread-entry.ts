// What runs in the thread for pushes: opens the channels, and reports what became of each push.
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../runtime/clock.ts'
import { createRelayedLog } from '../../runtime/log.ts'
import type { Outcome } from './channel.ts'
import { openChannels } from './channels.ts'
import { type FromThread, gather, type Push, type ThreadOptions, type ToThread } from './thread-messages.ts'

const { channels: options, logLevel } = workerData as ThreadOptions
const tell = (message: FromThread) => parentPort?.postMessage(message)
// Once in each turn of the event loop, with all the answers that it has brought.
const report = gather(setImmediate, tell)
const log = createRelayedLog(logLevel, (logLine) => tell({ logLine }))
const channels = openChannels(options, { clock: systemClock, log })

parentPort?.on('message', async (message: ToThread) => {
  if (message !== 'close') {
    for (const { id, push } of message) void send(push).then((outcome) => report({ id, outcome }))
    return
  }
  await channels.close()
  // The outcomes of the last pushes are reported first: they wait for the end of this turn of the event loop.
  setImmediate(() => setImmediate(() => process.exit()))
})

function send(push: Push): Promise<Outcome> {
  if ('webPush' in push) return channels.webPush.push(push.webPush)
  if (!channels.apns) throw new Error('this server has no APNs key')
  return channels.apns.push(push.apns)
}

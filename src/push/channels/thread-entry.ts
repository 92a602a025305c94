// The entry of the push thread: opens the channels and reports the result of each push.
import type { PushResult } from '../../domain/push.ts'
import { systemClock } from '../../runtime/clock.ts'
import { createRelayedLog } from '../../runtime/log.ts'
import { data, logLevel, postLogLine, serveTasks } from '../../runtime/threads/entry.ts'
import { type ChannelOptions, openChannels } from './channels.ts'
import type { ThreadPush } from './thread.ts'

const log = createRelayedLog(logLevel, postLogLine)
const channels = openChannels(data as ChannelOptions, { clock: systemClock, log })

serveTasks<ThreadPush, PushResult>((push) => {
  if ('webPush' in push) return channels.webPush.push(push.webPush)
  if (!channels.apns) throw new Error('this server has no APNs key')
  return channels.apns.push(push.apns)
}, channels.close)

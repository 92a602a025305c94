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
  if ('barkServer' in push) return channels.barkServers.push(push.barkServer)
  const [channel, request] = 'bark' in push ? [channels.bark, push.bark] : [channels.apns, push.apns]
  if (!channel) throw new Error('this server has no APNs key')
  return channel.push(request)
}, channels.close)

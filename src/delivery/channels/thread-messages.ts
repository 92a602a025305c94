// What the process and its thread for pushes say to each other. Messages of one turn of the event loop travel together:
// waking the other side costs more than what it is told.
import type { LogLevel } from '../../runtime/log.ts'
import type { ApnsPush } from './apns/request.ts'
import type { Outcome } from './channel.ts'
import type { ChannelOptions } from './channels.ts'
import type { WebPushMessage } from './web-push/web-push.ts'

export type ThreadOptions = { channels: ChannelOptions; logLevel: LogLevel }
export type Push = { apns: ApnsPush } | { webPush: WebPushMessage }
export type ToThread = { id: number; push: Push }[] | 'close'
export type FromThread = { id: number; outcome: Outcome }[] | { logLine: string }

export function gather<Item>(post: (items: Item[]) => void): (item: Item) => void {
  let gathered: Item[] = []
  const postAll = () => {
    const items = gathered
    gathered = []
    post(items)
  }
  return (item) => {
    if (gathered.length === 0) setImmediate(postAll)
    gathered.push(item)
  }
}

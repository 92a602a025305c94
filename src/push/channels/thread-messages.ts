// What the process and its thread for pushes say to each other. Messages that come about together travel together: waking
// the other side costs more than what it is told.
import type { LogLevel } from '../../runtime/log.ts'
import type { ApnsPush } from './apns/request.ts'
import type { Outcome } from './channel.ts'
import type { ChannelOptions } from './channels.ts'
import type { WebPushMessage } from './web-push/web-push.ts'

export type ThreadOptions = { channels: ChannelOptions; logLevel: LogLevel }
export type Push = { apns: ApnsPush } | { webPush: WebPushMessage }
export type ToThread = { id: number; push: Push }[] | 'close'
export type FromThread = { id: number; outcome: Outcome }[] | { logLine: string }

// `later` says when everyone who comes along has come.
export function gather<Item>(later: (post: () => void) => void, post: (items: Item[]) => void): (item: Item) => void {
  let gathered: Item[] = []
  const postAll = () => {
    const items = gathered
    gathered = []
    post(items)
  }
  return (item) => {
    if (gathered.length === 0) later(postAll)
    gathered.push(item)
  }
}

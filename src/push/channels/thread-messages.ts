// The messages between the process and its push thread. They are sent in batches: waking the other thread costs more than
// the messages themselves.
import type { PushResult } from '../../domain/push.ts'
import type { LogLevel } from '../../runtime/log.ts'
import type { ApnsPush } from './apns/request.ts'
import type { ChannelOptions } from './channels.ts'
import type { WebPush } from './web-push/web-push.ts'

export type ThreadOptions = { channels: ChannelOptions; logLevel: LogLevel }
export type ThreadPush = { apns: ApnsPush } | { webPush: WebPush }
export type ToThread = { id: number; push: ThreadPush }[] | 'close'
export type FromThread = { id: number; result: PushResult }[] | { logLine: string }

// Collects items until `schedule` runs its callback, then posts them as one batch.
export function createBatcher<Item>(
  schedule: (callback: () => void) => void,
  post: (items: Item[]) => void,
): (item: Item) => void {
  let batch: Item[] = []
  const postBatch = () => {
    const items = batch
    batch = []
    post(items)
  }
  return (item) => {
    if (batch.length === 0) schedule(postBatch)
    batch.push(item)
  }
}

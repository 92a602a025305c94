// The silent push that takes banners off a device because their notifications were read or deleted elsewhere.
import { LIMITS } from '../../contract/limits.ts'
import { MAX_PLAINTEXT_BYTES } from '../channels/web-push/encryption.ts'
import { jsonBytes } from './fit.ts'

// A background push may have no badge inside `aps`: the app sets the number itself.
export function apnsWithdraw(ids: number[], badge: number): string {
  const layout = (withdraw: number[]) => ({ aps: { 'content-available': 1 }, withdraw, badge })
  return JSON.stringify(layout(newestThatFit(ids, LIMITS.pushPayloadBytes - jsonBytes(layout([])))))
}

export function webPushWithdraw(ids: number[], badge: number): string {
  const layout = (withdraw: number[]) => ({ type: 'withdraw', withdraw, badge })
  return JSON.stringify(layout(newestThatFit(ids, MAX_PLAINTEXT_BYTES - jsonBytes(layout([])))))
}

// "All are read" may concern more ids than a push holds. The newest are those that are still on a screen.
function newestThatFit(ids: number[], roomBytes: number): number[] {
  const newestFirst = ids.toSorted((a, b) => b - a)
  let bytes = 0
  const end = newestFirst.findIndex((id) => {
    bytes += String(id).length + ','.length
    return bytes > roomBytes
  })
  return end === -1 ? newestFirst : newestFirst.slice(0, end)
}

// Silent pushes: one removes banners whose notifications were read or deleted elsewhere, the other makes a device fetch its
// widgets again.
import { LIMITS } from '../../contract/limits.ts'
import type { WidgetReload, Withdrawal } from '../../domain/push.ts'
import { MAX_PLAINTEXT_BYTES } from '../channels/web-push/encryption.ts'
import { jsonBytes } from './fit.ts'

// A background push must not have a badge inside `aps`, so the app sets the number itself.
export function apnsWithdrawal({ ids, badge }: Withdrawal): string {
  const layout = (withdraw: number[]) => ({ aps: { 'content-available': 1 }, withdraw, badge })
  return JSON.stringify(layout(newestThatFit(ids, LIMITS.push.maxPayloadBytes - jsonBytes(layout([])))))
}

export function webPushWithdrawal({ ids, badge }: Withdrawal): string {
  const layout = (withdraw: number[]) => ({ type: 'withdraw', withdraw, badge })
  return JSON.stringify(layout(newestThatFit(ids, MAX_PLAINTEXT_BYTES - jsonBytes(layout([])))))
}

// There may be more ids than fit into a push. The newest notifications are those that are still on screen.
function newestThatFit(ids: number[], roomBytes: number): number[] {
  const newestFirst = ids.toSorted((a, b) => b - a)
  let bytes = 0
  const end = newestFirst.findIndex((id) => {
    bytes += String(id).length + ','.length
    return bytes > roomBytes
  })
  return end === -1 ? newestFirst : newestFirst.slice(0, end)
}

// Apple's widgets push type cannot say which widget has changed.
export const apnsWidgetReload = (): string => JSON.stringify({ aps: { 'content-changed': true } })

export const webPushWidgetReload = ({ slug }: WidgetReload['widget']): string =>
  JSON.stringify({ type: 'widget.updated', slug })

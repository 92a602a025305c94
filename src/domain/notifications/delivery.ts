// How the delivery of a notification to its devices is reported to the sender.
import type { SentNotificationView } from '../../contract/notifications/notification.ts'

// One outcome per device. `open`: the provider has not answered in time. `left_out`: the device has no push channel and
// no open event stream, so it does not count.
export type PushOutcome = 'accepted' | 'refused' | 'open' | 'left_out'

export type Delivery = Pick<SentNotificationView, 'delivery' | 'reason'>

// `held`: why nothing was pushed, if its sender wanted it pushed.
export function deliveryOf(outcomes: PushOutcome[], push: boolean, held?: { reason: Delivery['reason'] }): Delivery {
  if (!push) return { delivery: 'none', reason: held?.reason ?? 'push_disabled' }
  const counted = outcomes.filter((outcome) => outcome !== 'left_out')
  if (counted.length === 0) return { delivery: 'none', reason: 'no_apns_token' }
  const accepted = counted.filter((outcome) => outcome === 'accepted').length
  if (accepted === counted.length) return { delivery: 'all' }
  return { delivery: accepted > 0 ? 'partial' : 'none', reason: 'apns_rejected' }
}

// Receipt of a repeating alert: the time left, or how it ended.
import type { NotificationAction } from '../../../src/contract/notification.ts'
import type { ReceiptView } from '../../../src/contract/receipt.ts'
import { api, unlessMissing } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Ago, countdown, now } from '../ui/time.tsx'

type ReceiptCardProps = { id: number; actions?: NotificationAction[]; initial?: ReceiptView }

// Only a notification with an action that the server records can have a receipt; others cause no request.
export function ReceiptCard({ id, actions = [], initial }: ReceiptCardProps) {
  const mayHaveOne = actions.some(({ url }) => !url)
  const load = async () => (mayHaveOne ? readReceipt(id) : undefined)
  const { value: receipt, reload } = useLoaded(load, { on: 'receipt.', id, initial })
  if (!receipt) return null
  if (receipt.status === 'active') return <Active receipt={receipt} onChange={reload} />
  return (
    <p class={`receipt receipt-${receipt.status}`}>
      <Icon name={receipt.status === 'acknowledged' ? 'check' : 'clock'} size={18} />
      <span>
        {TEXTS.receipts.ended(receipt)}
        <CallbackNote receipt={receipt} />
      </span>
    </p>
  )
}

export const readReceipt = (id: number): Promise<ReceiptView | undefined> =>
  unlessMissing(api.get<ReceiptView>(`/notifications/receipts/${id}`))

function Active({ receipt, onChange }: { receipt: ReceiptView; onChange: () => Promise<void> }) {
  const { notification_id: id, created_at, expires_at, repeats_sent, repeat_seconds } = receipt
  const [from, until] = [Date.parse(created_at), Date.parse(expires_at)]
  const left = Math.max(0, Math.min(1, (until - now.value) / (until - from)))
  const cancel = () => attempt(() => api.post(`/notifications/receipts/${id}/cancel`), TEXTS.receipts.canceled)
  return (
    <div class="receipt receipt-active">
      <div class="receipt-top">
        <span class="receipt-clock" role="timer" aria-label={TEXTS.receipts.timeLeft}>
          {countdown(expires_at)}
        </span>
        <span>
          <strong>{TEXTS.receipts.active}</strong>
          <span class="muted">{TEXTS.receipts.repeats(repeats_sent, repeat_seconds)}</span>
        </span>
        <Button size="small" onClick={() => cancel().then(onChange)}>
          {TEXTS.receipts.stop}
        </Button>
      </div>
      <progress class="bar" value={left} max={1} aria-label={TEXTS.receipts.timeLeft} />
    </div>
  )
}

function CallbackNote({ receipt: { callback } }: { receipt: ReceiptView }) {
  if (!callback) return null
  return (
    <span class="muted">
      {' '}
      {TEXTS.receipts.callback(callback.status, callback.attempts)}{' '}
      {callback.delivered_at && <Ago at={callback.delivered_at} />}
    </span>
  )
}

// Receipt of a repeating alert: the time left, or how it ended.
import type { VNode } from 'preact'
import type { NotificationAction } from '../../../src/contract/notifications/notification.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import type { ReceiptView } from '../../../src/contract/receipts.ts'
import { coarseDuration } from '../../../src/domain/screens/duration.ts'
import { api, unlessMissing } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Ago, agoInWords, countdown, now } from '../ui/time.tsx'
import { ByMember } from './given-answer.tsx'

type ReceiptCardProps = {
  id: number
  actions?: NotificationAction[]
  initial?: ReceiptView
  // The organization that sent it. Its sender reads the receipt as the organization, members under their own id.
  organization?: { id: string; isSender: boolean }
}

// Only a notification with an action that the server records can have a receipt; others cause no request.
export function ReceiptCard({ id, actions = [], initial, organization }: ReceiptCardProps) {
  const base = organization?.isSender ? `/orgs/${organization.id}` : ''
  const mayHaveOne = actions.some(({ url }) => !url)
  const load = async () => (mayHaveOne ? readReceipt(id, base) : undefined)
  const { value: receipt, reload } = useLoaded(load, { on: 'receipt.', id, initial })
  if (!receipt) return null
  if (receipt.status === 'active') {
    const stop = <StopButton id={receipt.notification_id} base={base} onStopped={reload} />
    const isMembers = organization !== undefined && !organization.isSender
    return <Active receipt={receipt} stop={isMembers ? <IfManager orgId={organization.id}>{stop}</IfManager> : stop} />
  }
  return (
    <p class={`receipt receipt-${receipt.status}`}>
      <Icon name={receipt.status === 'acknowledged' ? 'check' : 'clock'} size={18} />
      <span>
        {TEXTS.receipts.outcome(receipt)}{' '}
        {organization && receipt.acknowledged_by && (
          <ByMember orgId={organization.id} userId={receipt.acknowledged_by} />
        )}
        <CallbackNote receipt={receipt} />
      </span>
    </p>
  )
}

const readReceipt = (id: number, base = ''): Promise<ReceiptView | undefined> =>
  unlessMissing(api.get<ReceiptView>(`${base}/notifications/receipts/${id}`))

function Active({ receipt, stop }: { receipt: ReceiptView; stop: VNode }) {
  const { created_at, expires_at, repeats_sent, repeat_seconds } = receipt
  const [from, until] = [Date.parse(created_at), Date.parse(expires_at)]
  const secondsLeft = (until - now.value) / 1000
  const left = Math.max(0, Math.min(1, (until - now.value) / (until - from)))
  return (
    <div class="receipt receipt-active">
      <div class="receipt-top">
        <span class="receipt-clock" role="timer" aria-label={TEXTS.receipts.timeLeft}>
          {countdown(expires_at)}
        </span>
        <span>
          <strong>{TEXTS.receipts.active}</strong>
          <span class="muted">
            {TEXTS.receipts.repeats(repeats_sent, coarseDuration(repeat_seconds), coarseDuration(secondsLeft))}
          </span>
          <EscalationLine receipt={receipt} />
        </span>
        {stop}
      </div>
      <progress class="bar" value={left} max={1} aria-label={TEXTS.receipts.timeLeft} />
    </div>
  )
}

function EscalationLine({
  receipt: { escalation, escalated_steps = 0, next_escalation_at },
}: {
  receipt: ReceiptView
}) {
  if (!escalation) return null
  const next = next_escalation_at && agoInWords(Date.parse(next_escalation_at), now.value)
  return <span class="muted">{TEXTS.receipts.escalation(escalated_steps, next)}</span>
}

function StopButton({ id, base, onStopped }: { id: number; base: string; onStopped: () => Promise<void> }) {
  const stop = async () => {
    await attempt(() => api.post(`${base}/notifications/receipts/${id}/cancel`), TEXTS.receipts.canceled)
    await onStopped()
  }
  return (
    <Button size="small" onClick={stop}>
      {TEXTS.receipts.stop}
    </Button>
  )
}

// Owners and admins may stop an alert of the organization; a member can only acknowledge it.
function IfManager({ orgId, children }: { orgId: string; children: VNode }) {
  const { value } = useLoaded(() => unlessMissing(api.get<OrganizationView>(`/orgs/${orgId}`)), { key: orgId })
  return value && value.role !== 'member' ? children : null
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

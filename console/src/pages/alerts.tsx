// Alerts that repeat until someone acknowledges them: those that ring, then those that have ended.

import type { DeviceView } from '../../../src/contract/devices.ts'
import type { ListedReceiptView } from '../../../src/contract/notifications/inbox.ts'
import { withoutMarks } from '../../../src/domain/notifications/markdown.ts'
import { allPages, api } from '../api/client.ts'
import { canRing } from '../devices/connected.ts'
import { Actions } from '../inbox/actions.tsx'
import { decryptedView } from '../inbox/decryption.ts'
import { byUrgency } from '../inbox/inbox.ts'
import { ReceiptCard } from '../inbox/receipt-card.tsx'
import { LevelTag } from '../inbox/rows/row.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Ago } from '../ui/time.tsx'

type Alerts = { ringing: ListedReceiptView[]; ended: ListedReceiptView[]; canRing: boolean }

const ENDED_SHOWN = 50

async function loadAlerts(): Promise<Alerts> {
  const path = '/notifications/receipts'
  const [ringing, ended, devices] = await Promise.all([
    allPages<ListedReceiptView>(`${path}?status=active&limit=100`),
    api.get<{ items: ListedReceiptView[] }>(`${path}?status=ended&limit=${ENDED_SHOWN}`),
    api.get<{ items: DeviceView[] }>('/devices'),
  ])
  return { ringing: ringing.sort(mostUrgentFirst), ended: ended.items, canRing: devices.items.some(canRing) }
}

// One whose notification is deleted is last.
function mostUrgentFirst(a: ListedReceiptView, b: ListedReceiptView): number {
  if (!a.notification || !b.notification) return Number(!a.notification) - Number(!b.notification)
  return byUrgency(a.notification, b.notification)
}

export function AlertsPage() {
  const { value, error, reload } = useLoaded(loadAlerts, { on: ['receipt.', 'notification.deleted', 'device.'] })
  const isEmpty = value && value.ringing.length + value.ended.length === 0
  return (
    <Page title={TEXTS.nav.alerts} intro={TEXTS.receipts.intro}>
      {!value && <Waiting error={error} retry={reload} />}
      {isEmpty && <Empty icon="receipt" title={TEXTS.receipts.none} />}
      {value && value.ringing.length > 0 && !value.canRing && (
        <p class="note note-bad">
          <Icon name="alert" size={18} />
          <span>
            {TEXTS.receipts.noDevice} <a href="/app/devices">{TEXTS.nav.devices}</a>
          </span>
        </p>
      )}
      {value && <AlertList title={TEXTS.receipts.ringing} alerts={value.ringing} reload={reload} />}
      {value && <AlertList title={TEXTS.receipts.ended} alerts={value.ended} reload={reload} />}
    </Page>
  )
}

type AlertListProps = { title: string; alerts: ListedReceiptView[]; reload: () => Promise<void> }

function AlertList({ title, alerts, reload }: AlertListProps) {
  if (alerts.length === 0) return null
  return (
    <section>
      <h2 class="section-title">{title}</h2>
      <ul class="cards">
        {alerts.map((alert) => (
          // A card that has changed begins with the new receipt.
          <AlertCard key={`${alert.notification_id} ${alert.status} ${alert.repeats_sent}`} {...{ alert, reload }} />
        ))}
      </ul>
    </section>
  )
}

function AlertCard({ alert, reload }: { alert: ListedReceiptView; reload: () => Promise<void> }) {
  const { notification, notification_id: id, status, created_at } = alert
  const view = notification && decryptedView(notification)
  const sender = view?.source_display_name ?? view?.source
  return (
    <li class="card">
      <div class="card-head">
        <h3 class="card-title" dir="auto">
          {view ? <a href={`/app/n/${id}`}>{view.title}</a> : TEXTS.receipts.deleted}
        </h3>
        {view && <LevelTag level={view.level} />}
        {view?.org_name && <span class="tag tag-plain">{view.org_name}</span>}
      </div>
      <p class="muted card-facts">
        {sender && `${sender} · `}
        <Ago at={created_at} />
      </p>
      {view && (
        <p class="alert-text-full" dir="auto">
          {view.format === 'markdown' ? withoutMarks(view.body) : view.body}
        </p>
      )}
      {view && status === 'active' && <Actions notification={view} reload={reload} />}
      <ReceiptCard
        id={id}
        actions={view?.actions}
        initial={alert}
        organization={view?.org_id ? { id: view.org_id, isSender: false } : undefined}
      />
    </li>
  )
}

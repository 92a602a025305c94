// Delivery of a notification to each device, with every step, so that a person sees why a phone showed nothing.
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { TimelineView } from '../../../src/contract/notifications/notification.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Waiting } from '../ui/page.tsx'
import { ClockTime } from '../ui/time.tsx'
import type { DecryptedView } from './decryption.ts'
import { type DeliveryState, type DeviceDelivery, deliveriesOf, type TimelineEntry } from './device-delivery.ts'

// `summary`: a sentence about all devices, above them.
type DeliveryProps = { notification: DecryptedView; summary?: (deliveries: DeviceDelivery[]) => string }

export function Delivery({ notification, summary }: DeliveryProps) {
  const { id } = notification
  const load = async () => {
    const [timeline, devices] = await Promise.all([
      api.get<TimelineView>(`/notifications/${id}/timeline`),
      api.get<{ items: DeviceView[] }>('/devices'),
    ])
    return { entries: timeline.items, devices: devices.items }
  }
  const { value, error, reload } = useLoaded(load, { on: 'notification.', id })
  const deliveries = value && deliveriesOf(notification, value.entries, value.devices)
  return (
    <>
      {summary && <p role="status">{deliveries && summary(deliveries)}</p>}
      <section class="detail-section">
        <h3>{TEXTS.delivery.title}</h3>
        {value && deliveries ? (
          <DeviceDeliveries deliveries={deliveries} entries={value.entries} />
        ) : (
          <Waiting error={error} retry={reload} rows={2} />
        )}
      </section>
    </>
  )
}

const STATE_ICONS: Record<DeliveryState, IconName> = {
  arrived: 'check',
  refused: 'alert',
  trying: 'clock',
  silent: 'bell',
}

function DeviceDeliveries({ deliveries, entries }: { deliveries: DeviceDelivery[]; entries: TimelineEntry[] }) {
  return (
    <>
      {entries.some(({ event }) => event === 'no_receipt') && <p class="note note-bad">{TEXTS.delivery.noReceipt}</p>}
      {deliveries.length === 0 && <p class="muted">{TEXTS.delivery.noDevices}</p>}
      <ul class="device-deliveries">
        {deliveries.map(({ device, state, words }) => (
          <li key={device} class={`device-delivery device-delivery-${state}`}>
            <span class="device-delivery-icon">
              <Icon name={STATE_ICONS[state]} size={16} />
            </span>
            <span>
              <strong>{device}</strong>
              <span class="muted">{words}</span>
            </span>
          </li>
        ))}
      </ul>
      <details class="steps">
        <summary>{TEXTS.delivery.steps(entries.length)}</summary>
        <ol>
          {entries.map((entry, index) => (
            <li key={index}>
              <ClockTime at={entry.at} />
              <span>
                {TEXTS.timeline[entry.event]}
                {entry.device && <strong>{entry.device}</strong>}
                {entry.detail && <span class="muted">{entry.detail}</span>}
              </span>
            </li>
          ))}
        </ol>
      </details>
    </>
  )
}

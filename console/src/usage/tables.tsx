// The tables of the usage page: by source, by key, by device and by day.
import type { ComponentChildren } from 'preact'
import type { UsageView } from '../../../src/contract/accounts/usage.ts'
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { USAGE_TEXTS } from '../texts/usage.ts'
import { Ago, dayOfYear } from '../ui/time.tsx'
import { MuteSource } from './mutes.tsx'
import { REST_COLOR, type Series } from './stack.ts'

type SourcesProps = { sources: UsageView['sources']; series: Series[]; onMuted: () => Promise<void> }

export function SourceTable({ sources, series, onMuted }: SourcesProps) {
  return (
    <Table title={USAGE_TEXTS.sources} head={[USAGE_TEXTS.source, USAGE_TEXTS.sent, '']}>
      {sources.map(({ source, sent }) => {
        const { color = REST_COLOR } = series.find(({ name }) => name === source) ?? {}
        return (
          <tr key={source ?? ''}>
            <th scope="row">
              <span class="usage-source">
                <span class={`usage-swatch usage-color-${color}`} />
                <span dir="auto">{source ?? USAGE_TEXTS.noSource}</span>
              </span>
            </th>
            <td>{sent}</td>
            <td>{source !== undefined && <MuteSource source={source} onMuted={onMuted} />}</td>
          </tr>
        )
      })}
    </Table>
  )
}

export function KeyTable({ usage, keys }: { usage: UsageView['keys']; keys: KeyView[] }) {
  const { sent, refused, lastUsed } = USAGE_TEXTS
  return (
    <Table title={USAGE_TEXTS.keys} head={[USAGE_TEXTS.key, sent, refused, lastUsed]}>
      {usage.map(({ key_id, sent: count, muted, held, refused: refusals }) => {
        const key = keys.find(({ id }) => id === key_id)
        const notPushed = muted + held
        return (
          <tr key={key_id ?? ''}>
            <th scope="row" dir="auto">
              {key?.name ?? (key_id === undefined ? USAGE_TEXTS.yourself : USAGE_TEXTS.deletedKey)}
            </th>
            <td>
              {count}
              {notPushed > 0 && <p class="muted">{USAGE_TEXTS.notPushedOf(notPushed)}</p>}
            </td>
            <td>
              <Refusals refusals={refusals} />
            </td>
            <td>{key?.last_used_at ? <Ago at={key.last_used_at} /> : key ? USAGE_TEXTS.never : '–'}</td>
          </tr>
        )
      })}
    </Table>
  )
}

function Refusals({ refusals }: { refusals: UsageView['keys'][number]['refused'] }) {
  if (refusals.length === 0) return 0
  return (
    <ul>
      {refusals.map(({ code, count }) => (
        <li key={code} title={code}>
          {USAGE_TEXTS.refusals(count, USAGE_TEXTS.reasons[code] ?? code)}
        </li>
      ))}
    </ul>
  )
}

export function DeviceTable({ usage, devices }: { usage: UsageView['devices']; devices: DeviceView[] }) {
  const { device, accepted, failed, notConnected } = USAGE_TEXTS
  if (usage.length === 0) {
    return (
      <section>
        <h2 class="section-title">{USAGE_TEXTS.devices}</h2>
        <p class="card muted">{USAGE_TEXTS.noDelivery}</p>
      </section>
    )
  }
  return (
    <Table title={USAGE_TEXTS.devices} head={[device, accepted, failed, notConnected]}>
      {usage.map((counts) => (
        <tr key={counts.device_id}>
          <th scope="row" dir="auto">
            {devices.find(({ id }) => id === counts.device_id)?.name ?? counts.device_id}
          </th>
          <td>{counts.accepted}</td>
          <td class={counts.refused > 0 ? 'bad' : undefined}>{counts.refused}</td>
          <td>{counts.not_connected}</td>
        </tr>
      ))}
    </Table>
  )
}

export function DayTable({ days }: { days: UsageView['days'] }) {
  const { day, sent, notPushed, refused } = USAGE_TEXTS
  return (
    <details class="usage-days">
      <summary>{USAGE_TEXTS.byDay}</summary>
      <CountTable label={USAGE_TEXTS.byDay} head={[day, sent, notPushed, refused]}>
        {days.toReversed().map((counts) => (
          <tr key={counts.day}>
            <th scope="row">{dayOfYear(counts.day)}</th>
            <td>{counts.sent}</td>
            <td>{counts.muted + counts.held}</td>
            <td>{counts.refused}</td>
          </tr>
        ))}
      </CountTable>
    </details>
  )
}

type TableProps = { title: string; head: string[]; children: ComponentChildren }

function Table({ title, head, children }: TableProps) {
  return (
    <section>
      <h2 class="section-title">{title}</h2>
      <div class="card">
        <CountTable label={title} head={head}>
          {children}
        </CountTable>
      </div>
    </section>
  )
}

function CountTable({ label, head, children }: { label: string; head: string[]; children: ComponentChildren }) {
  return (
    <table class="usage-table" aria-label={label}>
      <thead>
        <tr>{head.map((name) => (name ? <th key={name}>{name}</th> : <td key={name} />))}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

// What was sent in the last 30 days: by day and source, by program and by device, with mutes for what is too loud.
import './usage.css'
import type { UsageView } from '../../../src/contract/accounts/usage.ts'
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { MuteView } from '../../../src/contract/holds.ts'
import type { KeyView } from '../../../src/contract/keys/keys.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { USAGE_TEXTS } from '../texts/usage.ts'
import { Waiting } from '../ui/page.tsx'
import { UsageChart } from './chart.tsx'
import { MuteList } from './mutes.tsx'
import { seriesOf } from './stack.ts'
import { DayTable, DeviceTable, KeyTable, SourceTable } from './tables.tsx'

const RELOAD_ON = ['notification.created', 'mute.', 'device.', 'key.']

async function loadHistory() {
  const [usage, keys, devices, mutes] = await Promise.all([
    api.get<UsageView>('/auth/me/usage'),
    api.get<KeyView[]>('/integrations/keys'),
    api.get<{ items: DeviceView[] }>('/devices'),
    api.get<{ items: MuteView[] }>('/mutes'),
  ])
  return { usage, keys, devices: devices.items, mutes: mutes.items }
}

export function UsageHistory() {
  const { value, error, reload } = useLoaded(loadHistory, { on: RELOAD_ON })
  if (!value) return <Waiting error={error} retry={reload} />
  const { usage, keys, devices, mutes } = value
  const series = seriesOf(usage)
  return (
    <>
      <section>
        <h2 class="section-title">{USAGE_TEXTS.history(usage.days.length)}</h2>
        <div class="card section">
          <Totals days={usage.days} />
          <UsageChart days={usage.days} series={series} />
          <DayTable days={usage.days} />
        </div>
      </section>
      {usage.sources.length > 0 && <SourceTable sources={usage.sources} series={series} onMuted={reload} />}
      <MuteList mutes={mutes} keyNames={new Map(keys.map(({ id, name }) => [id, name]))} onChange={reload} />
      {usage.keys.length > 0 && <KeyTable usage={usage.keys} keys={keys} />}
      <DeviceTable usage={usage.devices} devices={devices} />
    </>
  )
}

function Totals({ days }: { days: UsageView['days'] }) {
  const total = (count: 'sent' | 'refused') => days.reduce((sum, day) => sum + day[count], 0)
  const [sent, refused] = [total('sent'), total('refused')]
  return (
    <p class="muted">{sent + refused === 0 ? USAGE_TEXTS.nothing : USAGE_TEXTS.chart(sent, days.length, refused)}</p>
  )
}

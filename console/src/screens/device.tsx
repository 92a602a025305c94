// What a display says of itself, and that it asks to register again.
import './screens.css'
import type { ScreenView } from '../../../src/contract/screens/links.ts'
import { api } from '../api/client.ts'
import { SCREEN_TEXTS } from '../texts/wall.ts'
import { ConfirmButton } from '../ui/dialog.tsx'
import { Ago } from '../ui/time.tsx'

export function DeviceFacts({ link: { device } }: { link: ScreenView }) {
  if (!device) return null
  const { called_at, battery_volts, signal_dbm, firmware, model, log } = device
  const facts = [
    battery_volts !== undefined && SCREEN_TEXTS.battery(battery_volts),
    signal_dbm !== undefined && SCREEN_TEXTS.signal(signal_dbm),
    firmware && SCREEN_TEXTS.firmware(model ? `${firmware} (${model})` : firmware),
  ]
  return (
    <>
      <p class="muted card-facts">
        {SCREEN_TEXTS.called} <Ago at={called_at} />
        {facts.filter(Boolean).map((fact) => ` · ${fact}`)}
      </p>
      {log.length > 0 && (
        <details>
          <summary>{SCREEN_TEXTS.log}</summary>
          <pre class="screen-log">{log.join('\n')}</pre>
        </details>
      )}
    </>
  )
}

export function PairAgain({ link: { id, name }, onChange }: { link: ScreenView; onChange: () => Promise<void> }) {
  const pair = async () => {
    await api.post(`/screens/${id}/pair`)
    await onChange()
  }
  return (
    <ConfirmButton size="small" icon="device" text={SCREEN_TEXTS.pair} title={SCREEN_TEXTS.pairTitle(name)} work={pair}>
      {SCREEN_TEXTS.pairText}
    </ConfirmButton>
  )
}

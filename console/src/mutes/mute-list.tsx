// What is muted, and until when, with a button that ends each.
import type { MuteView } from '../../../src/contract/holds.ts'
import { nameOfKey } from '../inbox/sender.ts'
import { attempt } from '../state/toasts.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { Button } from '../ui/button.tsx'
import { shortMoment } from '../ui/time.tsx'
import { endMute, kindOf, useMutes } from './mutes.ts'

export function MuteList() {
  const { value: mutes = [], reload } = useMutes()
  if (mutes.length === 0) return null
  return (
    <section>
      <h2 class="section-title">{QUIET_TEXTS.list}</h2>
      <ul class="card plain-list">
        {mutes.map((mute) => (
          <Mute key={mute.id} mute={mute} onEnded={reload} />
        ))}
      </ul>
    </section>
  )
}

function Mute({ mute, onEnded }: { mute: MuteView; onEnded: () => Promise<void> }) {
  const { id, source, thread_id, key_id, until } = mute
  const name = source ?? thread_id ?? nameOfKey(key_id ?? '')
  const end = async () => {
    if (await attempt(() => endMute(id), QUIET_TEXTS.ended)) await onEnded()
  }
  return (
    <li>
      <span>
        <strong dir="auto">{name}</strong>
        <span class="muted">{QUIET_TEXTS.kinds[kindOf(mute)]}</span>
        <span class="muted">{QUIET_TEXTS.mutedUntil(shortMoment(until))}</span>
      </span>
      <Button size="small" label={QUIET_TEXTS.endOf(name)} onClick={end}>
        {QUIET_TEXTS.end}
      </Button>
    </li>
  )
}

// The ping key of the account or of an organization: the address by slug, and a new key.
import { api } from '../../api/client.ts'
import { AddressTruth } from '../../phones/address-truth.tsx'
import { showToast } from '../../state/toasts.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Copyable } from '../../ui/copy.tsx'
import { ConfirmButton } from '../../ui/dialog.tsx'
import type { Place } from '../place.ts'

const { pingKey: words } = HEARTBEAT_TEXTS

// `base`: what all ping addresses of this server begin with.
type PingKeyProps = { place: Place; pingKey: string; base: string; reload: () => Promise<void> }

export function PingKey({ place, pingKey, base, reload }: PingKeyProps) {
  const roll = async () => {
    await api.post(`${place.collection}/ping-key/roll`)
    showToast(words.rolled)
    await reload()
  }
  return (
    <section class="card section">
      <h2>{words.title}</h2>
      <p class="muted">{words.text}</p>
      <AddressTruth address={base} isFor="program" />
      <Copyable text={`${base}${pingKey}/SLUG?create=1`} label={words.title} />
      <div>
        <ConfirmButton icon="roll" text={words.roll} title={words.rollTitle} work={roll}>
          {words.rollText}
        </ConfirmButton>
      </div>
    </section>
  )
}

// The ping key of the account or of an organization: the address by slug, and a new key.
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { showToast } from '../../state/toasts.ts'
import { HEARTBEAT_TEXTS } from '../../texts/heartbeats.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import type { Place } from '../place.ts'

const { pingKey: words } = HEARTBEAT_TEXTS

// `base`: what all ping addresses of this server begin with.
type PingKeyProps = { place: Place; pingKey: string; base: string; reload: () => Promise<void> }

export function PingKey({ place, pingKey, base, reload }: PingKeyProps) {
  const [isAsking, setAsking] = useState(false)
  const roll = async () => {
    await api.post(`${place.collection}/ping-key/roll`)
    showToast(words.rolled)
    await reload()
  }
  return (
    <section class="card section">
      <h2>{words.title}</h2>
      <p class="muted">{words.text}</p>
      <Copyable text={`${base}${pingKey}/SLUG?create=1`} label={words.title} />
      <div>
        <Button icon="roll" onClick={() => setAsking(true)}>
          {words.roll}
        </Button>
      </div>
      {isAsking && (
        <Confirm title={words.rollTitle} confirm={words.roll} onClose={() => setAsking(false)} work={roll}>
          {words.rollText}
        </Confirm>
      )}
    </section>
  )
}

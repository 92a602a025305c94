// Mutes a source for a while, and lists what is muted.
import { useState } from 'preact/hooks'
import type { MuteView } from '../../../src/contract/holds.ts'
import { api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { USAGE_TEXTS } from '../texts/usage.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/time.tsx'

const HOUR_MS = 3_600_000
const DURATIONS_MS = {
  hour: HOUR_MS,
  evening: 8 * HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  // A minute less: the server's clock may be behind, and it allows no more than 30 days.
  month: 30 * 24 * HOUR_MS - 60_000,
} as const
type Duration = keyof typeof DURATIONS_MS

export function MuteSource({ source, onMuted }: { source: string; onMuted: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(false)
  const mute = async (duration: Duration) => {
    const until = new Date(Date.now() + DURATIONS_MS[duration]).toISOString()
    if (!(await attempt(() => api.put('/mutes', { source, until }), USAGE_TEXTS.mutedNow(source)))) return
    setOpen(false)
    await onMuted()
  }
  return (
    <>
      <Button size="small" icon="bell" label={USAGE_TEXTS.muteSource(source)} onClick={() => setOpen(true)}>
        <span class="not-phone">{USAGE_TEXTS.mute}</span>
      </Button>
      {isOpen && (
        <Dialog title={USAGE_TEXTS.muteTitle(source)} onClose={() => setOpen(false)}>
          <p class="dialog-text">{USAGE_TEXTS.muteText}</p>
          <div class="usage-durations">
            {(Object.keys(DURATIONS_MS) as Duration[]).map((duration) => (
              <Button key={duration} onClick={() => mute(duration)}>
                {USAGE_TEXTS.muteFor[duration]}
              </Button>
            ))}
          </div>
        </Dialog>
      )}
    </>
  )
}

// `keyNames`: by the ids of the keys.
type MuteListProps = { mutes: MuteView[]; keyNames: ReadonlyMap<string, string>; onChange: () => Promise<void> }

export function MuteList({ mutes, keyNames, onChange }: MuteListProps) {
  if (mutes.length === 0) return null
  const unmute = async (id: string) => {
    if (await attempt(() => api.delete(`/mutes/${id}`), USAGE_TEXTS.unmuted)) await onChange()
  }
  return (
    <section>
      <h2 class="section-title">{USAGE_TEXTS.mutes}</h2>
      <ul class="card plain-list usage-mutes">
        {mutes.map((mute) => {
          const { kind, name } = mutedWhat(mute, keyNames)
          return (
            <li key={mute.id}>
              <span>
                <strong dir="auto">{name}</strong>
                <span class="muted">
                  {USAGE_TEXTS.muteOf[kind]} · {USAGE_TEXTS.until} <Moment at={mute.until} />
                </span>
              </span>
              <Button size="small" label={USAGE_TEXTS.unmuteOf(name)} onClick={() => unmute(mute.id)}>
                {USAGE_TEXTS.unmute}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function mutedWhat({ source, thread_id, key_id = '' }: MuteView, keyNames: ReadonlyMap<string, string>) {
  if (source !== undefined) return { kind: 'source', name: source } as const
  if (thread_id !== undefined) return { kind: 'thread', name: thread_id } as const
  return { kind: 'key', name: keyNames.get(key_id) ?? USAGE_TEXTS.deletedKey } as const
}

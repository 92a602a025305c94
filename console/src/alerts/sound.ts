// The sound of critical alerts, which people switch on per browser.
import { effect, signal } from '@preact/signals'
import { onceAmongTabs } from './tabs.ts'

// `unset`: not asked yet; the first critical alert offers it.
type SoundSetting = 'on' | 'off' | 'unset'

const STORED = 'alert-sound'

export const alertSound = signal<SoundSetting>((localStorage.getItem(STORED) as SoundSetting | null) ?? 'unset')
// The browser refused to play, because nobody has clicked in this page yet.
export const isSoundBlocked = signal(false)

effect(() => {
  if (alertSound.value !== 'unset') localStorage.setItem(STORED, alertSound.value)
})

export async function playAlarm(notificationId: number): Promise<void> {
  if (alertSound.value === 'on') await onceAmongTabs(`alarm-${notificationId}`, ring)
}

const TONES_HZ = [880, 1175]
const ROUNDS = 3
const TONE_SECONDS = 0.18
const VOLUME = 0.5

export async function ring(): Promise<void> {
  const audio = new AudioContext()
  const volume = new GainNode(audio, { gain: VOLUME })
  volume.connect(audio.destination)
  for (let index = 0; index < ROUNDS * TONES_HZ.length; index++) {
    const tone = new OscillatorNode(audio, { frequency: TONES_HZ[index % TONES_HZ.length], type: 'triangle' })
    tone.connect(volume)
    tone.start(audio.currentTime + index * TONE_SECONDS)
    tone.stop(audio.currentTime + (index + 0.8) * TONE_SECONDS)
  }
  await new Promise((resolve) => setTimeout(resolve, ROUNDS * TONES_HZ.length * TONE_SECONDS * 1000))
  // Not before: in Firefox every context is suspended at first.
  isSoundBlocked.value = audio.state === 'suspended'
  if (isSoundBlocked.value) addEventListener('click', () => (isSoundBlocked.value = false), { once: true })
  await audio.close()
}

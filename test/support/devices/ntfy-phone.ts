// What a phone with the ntfy app for Android (1.25.0) shows after the lines that it got: a popup for each topic and sequence.
import type { NtfyLine } from './app-streams.ts'

export type NtfyPhone = {
  // The titles and texts of the popups, oldest first.
  shown: string[]
  // Those that made a sound when they came. An update of a popup that is still on the screen makes none (setOnlyAlertOnce).
  rung: string[]
  // The titles and texts in the lists of the app. It hides all messages of a sequence but the newest.
  listed: string[]
}

// Below this the channels of the app are silent.
const LEAST_AUDIBLE = 3

type Kept = { key: string; text: string; isHidden: boolean }

export function ntfyPhone(lines: NtfyLine[]): NtfyPhone {
  const popups = new Map<string, string>()
  const kept = new Map<string, Kept>()
  const rung: string[] = []
  for (const { id, event, topic, sequence_id = id, title, message, priority = 3 } of lines) {
    const key = `${topic}/${sequence_id}`
    const text = title === undefined ? message : `${title}: ${message}`
    // The app ignores a message that it knows.
    if (kept.has(id) || !['message', 'message_clear', 'message_delete'].includes(event)) continue
    if (event !== 'message_clear') hide(kept, key)
    if (event === 'message') {
      if (!popups.has(key) && priority >= LEAST_AUDIBLE) rung.push(text)
      kept.set(id, { key, text, isHidden: false })
      popups.set(key, text)
    } else popups.delete(key)
  }
  const listed = [...kept.values()].filter(({ isHidden }) => !isHidden).map(({ text }) => text)
  return { shown: [...popups.values()], rung, listed }
}

function hide(kept: Map<string, Kept>, key: string): void {
  for (const one of kept.values()) if (one.key === key) one.isHidden = true
}

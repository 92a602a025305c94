// The event stream of the account: one connection for the whole console. The browser reconnects by itself and says
// where it was, so nothing is missed; after a longer absence the server says `reset`, and everything is read anew.
import { signal } from '@preact/signals'
import { EVENT_TYPES, type EventType } from '../../../src/contract/event-types.ts'
import { api } from '../api/client.ts'

export type LiveEvent = { id: number; type: EventType; at: string; data: unknown }
type Listener = (event: LiveEvent) => void

// `live` once the stream stands, `waiting` while it is being made.
export const connection = signal<'live' | 'waiting'>('waiting')

const listeners = new Set<{ prefix: string; listener: Listener }>()
const resetListeners = new Set<() => void>()
let source: EventSource | undefined

// Calls the listener for every event whose type begins so; returns how to stop.
export function onEvents(prefix: string, listener: Listener): () => void {
  const entry = { prefix, listener }
  listeners.add(entry)
  return () => listeners.delete(entry)
}

// Calls the listener when events may have been missed.
export function onReset(listener: () => void): () => void {
  resetListeners.add(listener)
  return () => resetListeners.delete(listener)
}

const RETRY_MS = 2000

export function openStream(): void {
  closeStream()
  const opened = new EventSource('/events')
  source = opened
  opened.onopen = () => (connection.value = 'live')
  opened.onerror = () => {
    connection.value = 'waiting'
    // Refused: the browser gives up, we do not.
    if (opened.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS, opened)
  }
  for (const type of EVENT_TYPES) opened.addEventListener(type, ({ data }) => tell(JSON.parse(data)))
  opened.addEventListener('reset', tellReset)
}

export function closeStream(): void {
  source?.close()
  source = undefined
  connection.value = 'waiting'
}

// It may have been refused because a proxy had no server for a moment, or because the session is over. Asking tells, and
// whoever is signed out then leaves the stream.
async function reopen(failed: EventSource): Promise<void> {
  await api.get('/auth/me').catch(() => {})
  if (source !== failed) return
  openStream()
  source.addEventListener('open', tellReset, { once: true })
}

function tell(event: LiveEvent): void {
  for (const { prefix, listener } of listeners) if (event.type.startsWith(prefix)) listener(event)
}

function tellReset(): void {
  for (const listener of resetListeners) listener()
}

// The event stream of the account: one connection per tab. The browser reconnects with Last-Event-ID, so no event is
// missed; if the server no longer has those events it sends `reset`, and all data is loaded again.
import { signal } from '@preact/signals'
import { EVENT_TYPES, type EventType } from '../../../src/contract/events/event-types.ts'
import { api } from '../api/client.ts'

export type LiveEvent = { id: number; type: EventType; at: string; data: unknown }
type Listener = (event: LiveEvent) => void

// `live` while the stream is open, `waiting` while it connects.
export const connection = signal<'live' | 'waiting'>('waiting')

const listeners = new Set<{ prefix: string; listener: Listener }>()
const resetListeners = new Set<() => void>()
let source: EventSource | undefined

// Calls the listener for every event whose type has this prefix. Returns a function that removes it.
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
    // After an error response EventSource does not reconnect; we do.
    if (opened.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS, opened)
  }
  for (const type of EVENT_TYPES) opened.addEventListener(type, ({ data }) => dispatch(JSON.parse(data)))
  opened.addEventListener('reset', dispatchReset)
}

export function closeStream(): void {
  source?.close()
  source = undefined
  connection.value = 'waiting'
}

// The stream fails when a proxy has no server for a moment, or when the session has ended. A 401 from /auth/me signs out,
// which closes the stream.
async function reopen(failed: EventSource): Promise<void> {
  await api.get('/auth/me').catch(() => {})
  if (source !== failed) return
  openStream()
  source.addEventListener('open', dispatchReset, { once: true })
}

function dispatch(event: LiveEvent): void {
  for (const { prefix, listener } of listeners) if (event.type.startsWith(prefix)) listener(event)
}

function dispatchReset(): void {
  for (const listener of resetListeners) listener()
}

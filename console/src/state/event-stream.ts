// A connection to an event stream of the API. The browser reconnects with Last-Event-ID, so no event is missed; if the
// server no longer has those events it sends `reset`, and all data is loaded again.
import { type Signal, signal } from '@preact/signals'
import { EVENT_TYPES, type EventType } from '../../../src/contract/events/event-types.ts'
import { api } from '../api/client.ts'

export type LiveEvent = { id: number; type: EventType; at: string; data: unknown }
type Listener = (event: LiveEvent) => void

export type EventStream = {
  // `live` while the stream is open, `waiting` while it connects.
  connection: Signal<'live' | 'waiting'>
  // Opened again after `close`, it calls the reset listeners: events in between are missed.
  open(): void
  close(): void
  // Calls the listener for every event whose type has this prefix. Returns a function that removes it.
  onEvents(prefix: string, listener: Listener): () => void
  // Calls the listener when events may have been missed.
  onReset(listener: () => void): () => void
}

const RETRY_MS = 2000

export function createEventStream(path: string): EventStream {
  const connection = signal<'live' | 'waiting'>('waiting')
  const listeners = new Set<{ prefix: string; listener: Listener }>()
  const resetListeners = new Set<() => void>()
  let source: EventSource | undefined
  let wasOpened = false

  function open(): void {
    close()
    const opened = new EventSource(path)
    source = opened
    // A new connection does not know the last event of the one before it.
    if (wasOpened) opened.addEventListener('open', dispatchReset, { once: true })
    wasOpened = true
    opened.onopen = () => (connection.value = 'live')
    opened.onerror = () => {
      connection.value = 'waiting'
      // After an error response EventSource does not reconnect; we do.
      if (opened.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS, opened)
    }
    for (const type of EVENT_TYPES) opened.addEventListener(type, ({ data }) => dispatch(JSON.parse(data)))
    opened.addEventListener('reset', dispatchReset)
  }

  function close(): void {
    source?.close()
    source = undefined
    connection.value = 'waiting'
  }

  // The stream fails when a proxy has no server for a moment, or when the session has ended. A 401 from /auth/me signs
  // out, which closes the stream.
  async function reopen(failed: EventSource): Promise<void> {
    if (source !== failed) return
    await api.get('/auth/me').catch(() => {})
    if (source === failed) open()
  }

  function dispatch(event: LiveEvent): void {
    for (const { prefix, listener } of listeners) if (event.type.startsWith(prefix)) listener(event)
  }

  function dispatchReset(): void {
    for (const listener of resetListeners) listener()
  }

  return {
    connection,
    open,
    close,
    onEvents: (prefix, listener) => addTo(listeners, { prefix, listener }),
    onReset: (listener) => addTo(resetListeners, listener),
  }
}

function addTo<Entry>(entries: Set<Entry>, entry: Entry): () => void {
  entries.add(entry)
  return () => entries.delete(entry)
}

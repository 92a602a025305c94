// A connection to an event stream of the API. Data is loaded once the stream is open, so no change falls between the two.
// The browser reconnects with Last-Event-ID; if the server no longer has those events it sends `reset`, and all data is
// loaded again.
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
  // Wait for this before loading data. Resolves when the stream is open, and also when it fails or takes long: it then
  // calls the reset listeners once it is open.
  opened(): Promise<void>
  close(): void
  // Calls the listener for every event whose type has this prefix. Returns a function that removes it.
  onEvents(prefix: string, listener: Listener): () => void
  // Calls the listener when events may have been missed.
  onReset(listener: () => void): () => void
}

const RETRY_MS = 2000
// Loading does not wait longer than this for the stream.
const OPENING_MS = 1000

export function createEventStream(path: string): EventStream {
  const connection = signal<'live' | 'waiting'>('waiting')
  const listeners = new Set<{ prefix: string; listener: Listener }>()
  const resetListeners = new Set<() => void>()
  let source: EventSource | undefined
  let opening = Promise.withResolvers<void>()
  // Data was loaded while no stream was open, or events were missed.
  let needsReset = false

  function open(): void {
    close()
    const opened = new EventSource(path)
    source = opened
    let hasEventId = false
    opened.onopen = () => {
      connection.value = 'live'
      opening.resolve()
      if (needsReset) dispatchReset()
    }
    opened.onerror = () => {
      connection.value = 'waiting'
      // Without the id of an event the browser cannot ask for those after it.
      if (!hasEventId) loadWithoutStream()
      // After an error response EventSource does not reconnect; we do.
      if (opened.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS, opened)
    }
    for (const type of EVENT_TYPES) {
      opened.addEventListener(type, ({ data }) => {
        hasEventId = true
        dispatch(JSON.parse(data))
      })
    }
    opened.addEventListener('reset', dispatchReset)
  }

  function close(): void {
    if (!source) return
    source.close()
    source = undefined
    connection.value = 'waiting'
    opening.resolve()
    opening = Promise.withResolvers()
    needsReset = true
  }

  function opened(): Promise<void> {
    const timer = setTimeout(loadWithoutStream, OPENING_MS)
    return opening.promise.finally(() => clearTimeout(timer))
  }

  function loadWithoutStream(): void {
    needsReset = true
    opening.resolve()
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
    needsReset = false
    for (const listener of resetListeners) listener()
  }

  return {
    connection,
    open,
    opened,
    close,
    onEvents: (prefix, listener) => addTo(listeners, { prefix, listener }),
    onReset: (listener) => addTo(resetListeners, listener),
  }
}

function addTo<Entry>(entries: Set<Entry>, entry: Entry): () => void {
  entries.add(entry)
  return () => entries.delete(entry)
}

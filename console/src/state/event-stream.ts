// An event stream of the API as one tab sees it; the hub holds the connection. Data is loaded once the stream is open, so
// no change falls between the two. If events are missed, all data is loaded again.
import { type Signal, signal } from '@preact/signals'
import { sessionEnded } from '../api/client.ts'
import type { LiveEvent, StreamNews } from '../stream/messages.ts'
import { subscribe } from '../stream/subscriptions.ts'
import { session } from './session.ts'

type Listener = (event: LiveEvent) => void

export type EventStream = {
  // `live` while the stream is open, `waiting` while it connects.
  connection: Signal<'live' | 'waiting'>
  // Opened again after `close`, it calls the reset listeners: events in between are missed.
  open(): void
  close(): void
  // Wait for this before loading data. Resolves when the stream is open, and also when it fails or takes long: it then
  // calls the reset listeners once it is open.
  opened(): Promise<void>
  // Loads what the listeners of events then keep current, once the stream is open. An answer may be older than an event that
  // arrived before it: it is then not used, and `load` is called again.
  loadCurrent<Value>(load: () => Promise<Value>): Promise<Value>
  // Calls the listener for every event whose type has this prefix. Returns a function that removes it.
  onEvents(prefix: string, listener: Listener): () => void
  // Calls the listener when events may have been missed.
  onReset(listener: () => void): () => void
}

// Loading does not wait longer than this for the stream.
const OPENING_MS = 1000
// While events keep arriving, a load is repeated this often; its last answer is then shown, and all data loaded again later.
const MOST_LOADS = 5
const LATER_MS = 5000

// A stream of the account that is signed in.
export function createEventStream(path: string): EventStream {
  return createStream((receive) => {
    const current = session.peek()
    return current.state === 'signed-in' ? subscribe({ account: current.account.id, path }, receive) : undefined
  }, sessionEnded)
}

// `start` connects, and returns a function that disconnects.
export function createStream(
  start: (receive: (news: StreamNews) => void) => (() => void) | undefined,
  onSignedOut: () => void,
): EventStream {
  const connection = signal<'live' | 'waiting'>('waiting')
  const listeners = new Set<{ prefix: string; listener: Listener }>()
  const resetListeners = new Set<() => void>()
  let unsubscribe: (() => void) | undefined
  let opening = Promise.withResolvers<void>()
  // Data was loaded while no stream was open, or events were missed.
  let needsReset = false
  let receivedEvents = 0
  let laterReset: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    close()
    unsubscribe = start(receive)
  }

  function close(): void {
    if (!unsubscribe) return
    unsubscribe()
    unsubscribe = undefined
    connection.value = 'waiting'
    opening.resolve()
    opening = Promise.withResolvers()
    needsReset = true
  }

  function receive(news: StreamNews): void {
    if (news.kind === 'event') dispatch(news.event)
    if (news.kind === 'reset') dispatchReset()
    if (news.kind === 'signed-out') onSignedOut()
    if (news.kind === 'waiting') {
      connection.value = 'waiting'
      if (!news.canResume) loadWithoutStream()
    }
    if (news.kind === 'live') {
      connection.value = 'live'
      opening.resolve()
      if (needsReset) dispatchReset()
    }
  }

  function opened(): Promise<void> {
    const timer = setTimeout(loadWithoutStream, OPENING_MS)
    return opening.promise.finally(() => clearTimeout(timer))
  }

  async function loadCurrent<Value>(load: () => Promise<Value>): Promise<Value> {
    await opened()
    for (let loads = 1; ; loads++) {
      const receivedBefore = receivedEvents
      const value = await load()
      if (receivedEvents === receivedBefore) return value
      if (loads < MOST_LOADS) continue
      // One for all loads: each reset starts all of them again.
      laterReset ??= setTimeout(dispatchReset, LATER_MS)
      return value
    }
  }

  function loadWithoutStream(): void {
    needsReset = true
    opening.resolve()
  }

  function dispatch(event: LiveEvent): void {
    receivedEvents += 1
    for (const { prefix, listener } of listeners) if (event.type.startsWith(prefix)) listener(event)
  }

  function dispatchReset(): void {
    needsReset = false
    clearTimeout(laterReset)
    laterReset = undefined
    for (const listener of resetListeners) listener()
  }

  return {
    connection,
    open,
    close,
    opened,
    loadCurrent,
    onEvents: (prefix, listener) => addTo(listeners, { prefix, listener }),
    onReset: (listener) => addTo(resetListeners, listener),
  }
}

function addTo<Entry>(entries: Set<Entry>, entry: Entry): () => void {
  entries.add(entry)
  return () => entries.delete(entry)
}

// The event stream as an async iterator. A connection that breaks is opened again and resumes behind the last event.
import { readMessages, type StreamMessage, textOf } from '../../src/contract/events/server-sent-events.ts'
import type { Event } from './api-types.ts'
import { unreachable } from './errors.ts'
import { backoffMs, type Transport } from './transport.ts'
import { isTemporary } from './waiting.ts'

export type EventsOptions = {
  // The id of the last event that was processed; up to 24 hours old.
  after?: string
  // Reads as this device: notifications written to the stream count as delivered to it.
  deviceId?: string
  signal?: AbortSignal
}
// After a `reset` the server no longer has the events since the last id: read the current state again, then go on.
export type StreamedEvent = Event | { id: string; type: 'reset' }

// The server sends a comment every 20 seconds.
const SILENCE_MS = 50_000

export async function* streamEvents(transport: Transport, options: EventsOptions): AsyncGenerator<StreamedEvent> {
  const { deviceId, signal } = options
  const path = deviceId === undefined ? '/events' : `/events?device_id=${encodeURIComponent(deviceId)}`
  let lastId = options.after
  for (let failures = 0; ; failures += 1) {
    let delayMs: number | undefined
    try {
      for await (const { id, type, data } of connect(transport, path, lastId, signal)) {
        failures = 0
        lastId = id ?? lastId
        yield type === 'reset' ? { id: id ?? '', type } : JSON.parse(data)
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTemporary(error)) throw error
      delayMs = error.retryAfterMs
    }
    await transport.sleep(delayMs ?? backoffMs(failures), signal)
  }
}

async function* connect(
  transport: Transport,
  path: string,
  lastId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamMessage> {
  const silence = new AbortController()
  const watch = () => setTimeout(() => silence.abort(unreachable(path, 'it is silent')), SILENCE_MS)
  let timer = watch()
  const heard = () => {
    clearTimeout(timer)
    timer = watch()
  }
  const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) }
  try {
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
    yield* messagesOf(await transport.open(path, { headers, signal: either }), heard)
  } finally {
    clearTimeout(timer)
    // Ends the connection when the consumer leaves its loop.
    silence.abort()
  }
}

async function* messagesOf({ body, url }: Response, heard: () => void): AsyncGenerator<StreamMessage> {
  try {
    if (body) yield* readMessages(textOf(body, heard))
  } catch (error) {
    throw unreachable(url, error)
  }
}

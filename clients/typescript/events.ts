// The event stream as an async iterator. A connection that breaks is opened again and resumes behind the last event.
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

type Message = { id: string | undefined; type: string; data: string }

async function* connect(
  transport: Transport,
  path: string,
  lastId: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message> {
  const silence = new AbortController()
  const watch = () => setTimeout(() => silence.abort(unreachable(path, 'it is silent')), SILENCE_MS)
  let timer = watch()
  const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) }
  try {
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
    const response = await transport.open(path, { headers, signal: either })
    for await (const text of chunksOf(response)) {
      clearTimeout(timer)
      timer = watch()
      yield* text
    }
  } finally {
    clearTimeout(timer)
    // Ends the connection when the consumer leaves its loop.
    silence.abort()
  }
}

// Each item holds the messages that one chunk completed: none for a comment. Browsers cannot iterate over a stream of bytes.
async function* chunksOf(response: Response): AsyncGenerator<Message[]> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ; ) {
    const chunk = await reader?.read().catch((error) => {
      throw unreachable(response.url, error)
    })
    if (!chunk || chunk.done) return
    const blocks = (text + chunk.value).split('\n\n')
    text = blocks.pop() ?? ''
    yield blocks.flatMap(parseMessage)
  }
}

function parseMessage(block: string): Message[] {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  const data = field('data')
  return data === undefined ? [] : [{ id: field('id'), type: field('event') ?? 'message', data }]
}

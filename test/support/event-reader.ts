// Reads GET /events like a browser's EventSource, and records everything received. A message without a declared schema
// fails the test run as an unhandled rejection.
import { assertSentEvent, UndeclaredEvent } from './event-schemas.ts'
import { eventually } from './eventually.ts'

export type StreamEvent = { id: string; event: string; data: Record<string, unknown> & { data?: unknown } }

export type EventReader = {
  headers: Headers
  events: StreamEvent[]
  // Comment lines, which keep the connection open.
  comments: string[]
  numbers(): number[]
  types(): string[]
  // Disconnects.
  close(): void
  // Resolves when the stream has ended, on either side.
  ended: Promise<void>
}

export async function openEvents(
  url: string,
  token: string,
  lastEventId?: string | number,
  deviceId?: string,
): Promise<EventReader> {
  const query = deviceId === undefined ? '' : `?device_id=${encodeURIComponent(deviceId)}`
  return openStream(`${url}/events${query}`, token, lastEventId)
}

export async function openStream(address: string, token: string, lastEventId?: string | number): Promise<EventReader> {
  const disconnect = new AbortController()
  const answer = await fetch(address, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
    },
    signal: disconnect.signal,
  })
  if (answer.status !== 200 || !answer.body) throw new Error(`GET ${address} answered ${answer.status}`)
  const events: StreamEvent[] = []
  const comments: string[] = []
  const ended = readBlocks(answer.body, (block) => {
    if (block.startsWith(':')) comments.push(block.slice(1).trim())
    else events.push(toEvent(block))
  }).catch((error) => {
    if (error instanceof UndeclaredEvent) throw error
  })
  // The server writes this comment once it knows from which event on the stream follows.
  await eventually(() => {
    if (comments[0] !== 'connected') throw new Error('not connected yet')
  })
  return {
    headers: answer.headers,
    events,
    comments,
    numbers: () => events.map(({ id }) => Number(id)),
    types: () => events.map(({ event }) => event),
    close: () => disconnect.abort(),
    ended,
  }
}

async function readBlocks(body: ReadableStream<Uint8Array>, take: (block: string) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true })
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) take(block)
  }
}

function toEvent(block: string): StreamEvent {
  const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
  const event = fields.get('event') ?? ''
  const data = JSON.parse(fields.get('data') ?? 'null')
  assertSentEvent(event, data)
  return { id: fields.get('id') ?? '', event, data }
}

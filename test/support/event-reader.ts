// Reads GET /events like a browser's EventSource, and records everything received. A message without a declared schema
// fails the test run as an unhandled rejection.
import { readMessages, type StreamMessage, textOf } from '../../src/contract/events/server-sent-events.ts'
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
  const messages = readMessages(textOf(answer.body), (comment) => comments.push(comment))
  const read = async () => {
    for await (const message of messages) events.push(toEvent(message))
  }
  const ended = read().catch((error) => {
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

function toEvent({ id = '', type, data: text }: StreamMessage): StreamEvent {
  const data = JSON.parse(text)
  assertSentEvent(type, data)
  return { id, event: type, data }
}

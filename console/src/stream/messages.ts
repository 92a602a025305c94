// Messages between a tab and the hub, which holds one connection per stream for all tabs of the browser.
import type { EventType } from '../../../src/contract/events/event.ts'

export type LiveEvent = { id: number; type: EventType; at: string; data: unknown }

// A stream belongs to an account: after another account has signed in, the same path is another stream.
export type StreamName = { account: string; path: string }

export type FromTab =
  | ({ kind: 'open' } & StreamName)
  | ({ kind: 'close' } & StreamName)
  // The tab is visible again, perhaps after the computer has slept.
  | { kind: 'woke' }
  | { kind: 'network-changed' }

export type StreamNews =
  | { kind: 'live' }
  // `canResume`: the next connection begins with the events that are missed meanwhile.
  | { kind: 'waiting'; canResume: boolean }
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'reset' }
  | { kind: 'signed-out' }

export type FromHub = StreamName & { news: StreamNews }

// One stream of the server, connected again and again until it is stopped. A connection on which even the heartbeats stop
// is given up: behind a dead network it would stay open for minutes.
import { readMessages, type StreamMessage, textOf } from '../../../src/contract/events/server-sent-events.ts'
import type { StreamNews } from './messages.ts'

export type Connection = {
  isLive(): boolean
  stop(): void
  // Connects now if it waits to try again, or if no heartbeat has come for too long.
  check(): void
  // Connects anew, whatever its state.
  reconnect(): void
}

// The server sends a heartbeat every 20 seconds.
const SILENCE_MS = 45_000
const ANSWER_MS = 10_000
const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 30_000

// `own`: headers besides those of the stream; without them the session cookie identifies the account.
export function connect(path: string, tell: (news: StreamNews) => void, own: Record<string, string> = {}): Connection {
  let isStopped = false
  let isLive = false
  let lastEventId: string | undefined
  let failures = 0
  let heardAt = 0
  let request = new AbortController()
  let endPause = () => {}
  let isUrgent = false

  async function run(): Promise<void> {
    while (!isStopped) {
      isUrgent = false
      request = new AbortController()
      const waitMs = await readOnce(request).catch(() => undefined)
      if (isStopped) return
      isLive = false
      tell({ kind: 'waiting', canResume: lastEventId !== undefined })
      if (!isUrgent) await pause(waitMs ?? Math.min(FIRST_RETRY_MS * 2 ** failures++, LAST_RETRY_MS))
    }
  }

  // Returns after how long to try again, if the server says so.
  async function readOnce({ signal }: AbortController): Promise<number | undefined> {
    let deadline = giveUpAfter(ANSWER_MS)
    try {
      const headers = lastEventId === undefined ? own : { ...own, 'last-event-id': lastEventId }
      const response = await fetch(path, { headers, signal, cache: 'no-store' })
      if (response.status === 401) tell({ kind: 'signed-out' })
      if (!response.ok || !response.body) return Number(response.headers.get('retry-after')) * 1000 || undefined
      const heard = () => {
        clearTimeout(deadline)
        deadline = giveUpAfter(SILENCE_MS)
        heardAt = Date.now()
        if (!isLive) begin()
      }
      for await (const message of readMessages(textOf(response.body, heard))) pass(message)
    } finally {
      clearTimeout(deadline)
    }
  }

  const giveUpAfter = (ms: number) => setTimeout(() => request.abort(), ms)

  // The server writes a comment as soon as it follows the account, so the first chunk says that no event is missed.
  function begin(): void {
    isLive = true
    failures = 0
    tell({ kind: 'live' })
  }

  function pass({ id, type, data }: StreamMessage): void {
    if (id) lastEventId = id
    tell(type === 'reset' ? { kind: 'reset' } : { kind: 'event', event: JSON.parse(data) })
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function reconnect(): void {
    isUrgent = true
    failures = 0
    request.abort()
    endPause()
  }

  void run()
  return {
    isLive: () => isLive,
    stop() {
      isStopped = true
      reconnect()
    },
    check() {
      if (!isLive) endPause()
      else if (Date.now() - heardAt > SILENCE_MS) reconnect()
    },
    reconnect,
  }
}

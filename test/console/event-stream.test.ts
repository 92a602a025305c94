// What a tab shows while events arrive: nothing that is older than an event it has received.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStream } from '../../console/src/state/event-stream.ts'
import type { StreamNews } from '../../console/src/stream/messages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const news: StreamNews = {
  kind: 'event',
  event: { id: 1, type: 'notification.created', at: '2026-11-18T08:00:00Z', data: {} },
}

function openStream() {
  let tell: (news: StreamNews) => void = () => {}
  const stream = createStream(
    (receive) => {
      tell = receive
      return () => {}
    },
    () => {},
  )
  stream.open()
  tell({ kind: 'live' })
  return { stream, tell }
}

// Answers with the number of the call; during the first `disturbed` calls an event arrives.
function loader(tell: (news: StreamNews) => void, disturbed: number) {
  let calls = 0
  return async () => {
    calls += 1
    if (calls <= disturbed) tell(news)
    return calls
  }
}

test('an answer during which an event arrived is not used', async () => {
  const { stream, tell } = openStream()
  expect(await stream.loadCurrent(loader(tell, 0))).toBe(1)
  expect(await stream.loadCurrent(loader(tell, 2))).toBe(3)
})

test('while events never pause, answers are shown, and everything is loaded again later, once for all of them', async () => {
  const { stream, tell } = openStream()
  const reset = vi.fn()
  stream.onReset(reset)
  expect(await stream.loadCurrent(loader(tell, Infinity))).toBe(5)
  expect(await stream.loadCurrent(loader(tell, Infinity))).toBe(5)
  expect(reset).not.toHaveBeenCalled()
  vi.advanceTimersByTime(5000)
  expect(reset).toHaveBeenCalledOnce()
})

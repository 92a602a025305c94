// Hook that loads data from the API and reloads it when events say that it changed.
import { useContext, useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import type { LiveEvent } from '../stream/messages.ts'
import { FollowedStream } from './events.ts'
import { createRecovery } from './recovery.ts'

export type Loaded<Value> = {
  value?: Value
  error?: string
  reload(): Promise<void>
}

export type LoadOptions<Value> = {
  // Reload on events whose type begins with this prefix, or one of these, and, if `id` is given, that concern this id.
  on?: string | string[]
  id?: number | string
  // Also reload at this interval while the tab is visible: for changes of which no event tells.
  everyMs?: number
  // A changed key loads other data.
  key?: unknown
  // Value to start with; the first load is then skipped.
  initial?: Value
}

// Throttle: many events in a short time cause one reload per interval.
const THROTTLE_MS = 2000

export function useLoaded<Value>(
  load: () => Promise<Value>,
  { on, id, everyMs, key, initial }: LoadOptions<Value> = {},
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: string }>({ value: initial })
  const stream = useContext(FollowedStream)
  const [reload, setReload] = useState(() => async () => {})

  useEffect(() => {
    let isShown = true
    // Answers may arrive in another order than their requests.
    let asked = 0
    let answered = 0
    const read = async () => {
      const order = ++asked
      const isLate = () => !isShown || order < answered
      try {
        await stream.opened()
        const value = await load()
        if (isLate()) return
        answered = order
        recovery.succeeded()
        setState({ value })
      } catch (error) {
        if (isLate()) return
        recovery.failed(error)
        setState((before) => ({ ...before, error: messageOf(error) }))
      }
    }
    const recovery = createRecovery(stream, read)
    setReload(() => read)
    if (initial === undefined) void read()
    const later = throttled(read)
    const stops = [stream.onReset(() => void read()), later.cancel, recovery.stop]
    if (everyMs !== undefined) stops.push(everyWhileVisible(everyMs, read))
    for (const prefix of [on ?? []].flat()) {
      stops.push(stream.onEvents(prefix, (event) => (id === undefined || isAbout(event, id)) && later.run()))
    }
    return () => {
      isShown = false
      for (const stop of stops) stop()
    }
  }, [String(on), id, everyMs, key, stream])

  return { ...state, reload }
}

// Runs immediately, then at most once per interval; calls within an interval run once at its end.
function throttled(work: () => unknown) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const run = () => {
    isWanted = timer !== undefined
    if (isWanted) return
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) run()
    }, THROTTLE_MS)
  }
  return { run, cancel: () => clearTimeout(timer) }
}

// Returns a function that ends it.
export function everyWhileVisible(ms: number, work: () => unknown): () => void {
  const timer = setInterval(() => document.hidden || work(), ms)
  return () => clearInterval(timer)
}

function isAbout({ data }: LiveEvent, id: number | string): boolean {
  const about = data as { id?: number | string; ids?: (number | string)[]; all?: true; notification_id?: number }
  return about.id === id || about.notification_id === id || about.all === true || (about.ids?.includes(id) ?? false)
}

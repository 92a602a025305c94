// Reads something of the API for as long as a component shows it, and again whenever its events say that it changed.
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import { onEvents, onReset } from './events.ts'

export type Loaded<Value> = {
  value?: Value
  error?: string
  reload(): Promise<void>
}

// `eventPrefix` names the events after which it is read again; `key` says when it is something else altogether.
export function useLoaded<Value>(load: () => Promise<Value>, eventPrefix?: string, key: unknown = ''): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: string }>({})
  const [reload, setReload] = useState(() => async () => {})

  useEffect(() => {
    let isShown = true
    const read = oneAtATime(async () => {
      try {
        const value = await load()
        if (isShown) setState({ value })
      } catch (error) {
        if (isShown) setState((before) => ({ ...before, error: messageOf(error) }))
      }
    })
    setReload(() => read)
    read()
    const stops = [onReset(read), ...(eventPrefix ? [onEvents(eventPrefix, read)] : [])]
    return () => {
      isShown = false
      for (const stop of stops) stop()
    }
  }, [eventPrefix, key])

  return { ...state, reload }
}

// Many events in a moment are one more read after the one under way: no flood of requests, and the newest answer last.
function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = () => {
    next = undefined
    underWay = read().finally(() => (underWay = undefined))
    return underWay
  }
  return () => {
    if (!underWay) return start()
    next ??= underWay.then(start)
    return next
  }
}

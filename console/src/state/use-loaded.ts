// Reads something of the API for as long as a component shows it, and again whenever its events say that it changed.
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import { type LiveEvent, onEvents, onReset } from './events.ts'

export type Loaded<Value> = {
  value?: Value
  error?: string
  reload(): Promise<void>
}

export type When<Value> = {
  // Events after which it is read again: those whose type begins so, and that are about this id, if one is given.
  on?: string
  id?: number
  // Says when it is something else altogether.
  key?: unknown
  // What is known already and need not be read first.
  initial?: Value
}

// A flood of events is answered with one reading now and then, not with a flood of requests.
const PAUSE_MS = 2000

export function useLoaded<Value>(
  load: () => Promise<Value>,
  { on, id, key, initial }: When<Value> = {},
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; error?: string }>({ value: initial })
  const [reload, setReload] = useState(() => async () => {})

  useEffect(() => {
    let isShown = true
    const read = async () => {
      try {
        const value = await load()
        if (isShown) setState({ value })
      } catch (error) {
        if (isShown) setState((before) => ({ ...before, error: messageOf(error) }))
      }
    }
    setReload(() => read)
    if (initial === undefined) void read()
    const later = spaced(read)
    const stops = [onReset(() => void read()), later.cancel]
    if (on) stops.push(onEvents(on, (event) => (id === undefined || isAbout(event, id)) && later.run()))
    return () => {
      isShown = false
      for (const stop of stops) stop()
    }
  }, [on, id, key])

  return { ...state, reload }
}

// At once, then no sooner than after a pause; what comes in the pause is done once at its end.
function spaced(work: () => unknown) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const run = () => {
    isWanted = timer !== undefined
    if (isWanted) return
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) run()
    }, PAUSE_MS)
  }
  return { run, cancel: () => clearTimeout(timer) }
}

function isAbout({ data }: LiveEvent, id: number): boolean {
  const about = data as { id?: number; ids?: number[]; all?: true; notification_id?: number }
  return about.id === id || about.notification_id === id || about.all === true || (about.ids?.includes(id) ?? false)
}

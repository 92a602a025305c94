// A component whose code is loaded when it is first shown: a page, or a part with a large dependency.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import { Waiting } from './page.tsx'

export function lazy<Props extends object = object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<{ error?: string }>({})
    const fetchCode = async () => {
      try {
        Loaded = await load()
        setState({})
      } catch (error) {
        setState({ error: messageOf(error) })
      }
    }
    useEffect(() => {
      if (!Loaded) void fetchCode()
    }, [])
    return Loaded ? <Loaded {...props} /> : <Waiting error={state.error} retry={fetchCode} />
  }
}

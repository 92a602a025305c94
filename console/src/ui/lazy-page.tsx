// A page whose code is loaded when it is first opened.
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import { Waiting } from './page.tsx'

export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  let Loaded: ComponentType | undefined
  return function LazyPage() {
    const [state, setState] = useState<{ error?: string }>({})
    const fetchPage = async () => {
      try {
        Loaded = await load()
        setState({})
      } catch (error) {
        setState({ error: messageOf(error) })
      }
    }
    useEffect(() => {
      if (!Loaded) void fetchPage()
    }, [])
    return Loaded ? <Loaded /> : <Waiting error={state.error} retry={fetchPage} />
  }
}

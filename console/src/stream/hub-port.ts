// The port of this tab to the hub. The hub runs in a shared worker; where browsers have none (older Chrome on Android) or refuse
// to start it, in the tab itself. Shared workers, unlike navigator.locks, also work over plain HTTP.
import { createHub } from './hub.ts'

// `use` is called again with another port if the worker cannot start.
export function openHubPort(use: (port: MessagePort) => void): void {
  try {
    // Vite bundles the worker only if it finds the whole expression in one place.
    const worker = new SharedWorker(new URL('./stream-worker.ts', import.meta.url), { type: 'module', name: 'streams' })
    worker.onerror = () => use(hubInThisTab())
    use(worker.port)
  } catch {
    use(hubInThisTab())
  }
}

function hubInThisTab(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  createHub()(port1)
  return port2
}

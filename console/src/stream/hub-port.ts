// The port of this tab to the hub. The hub runs in a shared worker; where browsers have none (older Chrome on Android) or refuse
// to start it, in the tab itself. Shared workers, unlike navigator.locks, also work over plain HTTP.
import { createHub } from './hub.ts'
import builtWorker from './stream-worker.ts?sharedworker&url'

// Not under /app/, where the service worker would control it: Firefox does not end the requests of such a worker.
const WORKER_URL = builtWorker.replace('/app/assets/', '/workers/')

// `use` is called again with another port if the worker cannot start.
export function openHubPort(use: (port: MessagePort) => void): void {
  try {
    const worker = new SharedWorker(WORKER_URL, { type: 'module', name: 'streams' })
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

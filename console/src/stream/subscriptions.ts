// The streams that this tab follows, over its port to the hub.
import { createHub } from './hub.ts'
import type { FromHub, FromTab, StreamName, StreamNews } from './messages.ts'
import builtWorker from './stream-worker.ts?sharedworker&url'

type Subscription = { name: StreamName; receive: (news: StreamNews) => void }

const subscriptions = new Set<Subscription>()
let hub: MessagePort | undefined

// Returns a function that ends it.
export function subscribe(name: StreamName, receive: Subscription['receive']): () => void {
  const subscription = { name, receive }
  subscriptions.add(subscription)
  if (hub) send({ kind: 'open', ...name })
  else start()
  return () => {
    subscriptions.delete(subscription)
    send({ kind: 'close', ...name })
  }
}

function start(): void {
  openHubPort((port) => {
    hub = port
    port.onmessage = ({ data }: MessageEvent<FromHub>) => pass(data)
    openAll()
  })
  addEventListener('online', () => send({ kind: 'network-changed' }))
  addEventListener('offline', () => send({ kind: 'network-changed' }))
  document.addEventListener('visibilitychange', () => document.hidden || send({ kind: 'woke' }))
  // The hub is not told when a tab is closed. A tab that the person returns to by "Back" may continue as it was left.
  addEventListener('pagehide', closeAll)
  addEventListener('pageshow', ({ persisted }) => persisted && openAll())
}

function pass({ account, path, news }: FromHub): void {
  for (const { name, receive } of subscriptions) if (name.account === account && name.path === path) receive(news)
}

function openAll(): void {
  for (const { name } of subscriptions) send({ kind: 'open', ...name })
}

function closeAll(): void {
  for (const { name, receive } of subscriptions) {
    send({ kind: 'close', ...name })
    receive({ kind: 'waiting', canResume: false })
  }
}

function send(message: FromTab): void {
  hub?.postMessage(message)
}

// Not under /app/, where the service worker would control it: Firefox does not end the requests of such a worker.
const WORKER_URL = builtWorker.replace('/app/assets/', '/workers/')

// The hub runs in a shared worker; where browsers have none (older Chrome on Android) or refuse to start it, in the tab itself.
// Shared workers, unlike navigator.locks, also work over plain HTTP. `use` is called again with another port if the worker
// cannot start.
function openHubPort(use: (port: MessagePort) => void): void {
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

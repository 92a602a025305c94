// Holds one connection per stream for all tabs, because a browser opens only six connections to a server over HTTP/1.1:
// with one per tab, six tabs would leave none for requests.
import { type Connection, connect } from './connection.ts'
import type { FromHub, FromTab, StreamName, StreamNews } from './messages.ts'

type SharedStream = { connection: Connection; tabs: Set<MessagePort> }

// Returns the function that adds a tab.
export function createHub(): (tab: MessagePort) => void {
  const streams = new Map<string, SharedStream>()

  function open(tab: MessagePort, name: StreamName): void {
    const stream = streams.get(keyOf(name)) ?? start(name)
    stream.tabs.add(tab)
    if (stream.connection.isLive()) post(tab, name, { kind: 'live' })
  }

  function start(name: StreamName): SharedStream {
    const tabs = new Set<MessagePort>()
    const tellAll = (news: StreamNews) => {
      for (const tab of tabs) post(tab, name, news)
    }
    const stream = { tabs, connection: connect(name.path, tellAll) }
    streams.set(keyOf(name), stream)
    return stream
  }

  function close(tab: MessagePort, name: StreamName): void {
    const stream = streams.get(keyOf(name))
    if (!stream?.tabs.delete(tab) || stream.tabs.size > 0) return
    stream.connection.stop()
    streams.delete(keyOf(name))
  }

  function receive(tab: MessagePort, message: FromTab): void {
    if (message.kind === 'open') open(tab, message)
    if (message.kind === 'close') close(tab, message)
    for (const { connection } of streams.values()) {
      if (message.kind === 'woke') connection.check()
      if (message.kind === 'network-changed') connection.reconnect()
    }
  }

  return (tab) => {
    tab.onmessage = ({ data }: MessageEvent<FromTab>) => receive(tab, data)
  }
}

const keyOf = ({ account, path }: StreamName): string => `${account} ${path}`

function post(tab: MessagePort, { account, path }: StreamName, news: StreamNews): void {
  tab.postMessage({ account, path, news } satisfies FromHub)
}

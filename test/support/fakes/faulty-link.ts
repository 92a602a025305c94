// A TCP relay to a server that can fail: drop all bytes silently, or reset every connection.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type FaultyLink = {
  port: number
  // Open connections, and new ones until `heal`, stay open and carry no bytes.
  blackhole(): void
  // New connections work again; blackholed ones never do, as after a firewall has dropped their state.
  heal(): void
  // Like `blackhole`, for new connections only.
  swallowNew(): void
  reset(): void
  // At the next message with this text the connection is cut: before the server gets it, or before its answer returns.
  cutAt(text: string, when: 'before the server gets it' | 'before its answer'): void
  // New connections go to the server on this port.
  leadTo(port: number): void
}

type Relay = { near: Socket; far: Socket }

export async function openFaultyLink(serverPort: number): Promise<FaultyLink> {
  const relays = new Set<Relay>()
  let silent = false
  let cut: { text: string; reaches: boolean } | undefined
  let leadsTo = serverPort

  function passOn(relay: Relay, message: Buffer) {
    const { near, far } = relay
    if (!cut || !message.includes(cut.text)) return far.write(message)
    if (cut.reaches) {
      far.unpipe(near)
      far.once('data', () => near.resetAndDestroy()).resume()
      far.write(message)
    } else near.resetAndDestroy()
    cut = undefined
  }

  const link = createServer((near) => {
    const far = connect(leadsTo, '127.0.0.1')
    const relay = { near, far }
    relays.add(relay)
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.on('close', () => end(relay))
    }
    if (silent) return
    near.on('data', (message) => passOn(relay, message))
    near.on('end', () => far.end())
    far.pipe(near)
  })

  function end(relay: Relay) {
    relays.delete(relay)
    relay.near.destroy()
    relay.far.destroy()
  }

  link.listen(0, '127.0.0.1')
  await once(link, 'listening')
  onTestFinished(() => {
    for (const relay of relays) end(relay)
    link.close()
  })
  return {
    port: (link.address() as AddressInfo).port,
    blackhole() {
      silent = true
      for (const { near, far } of relays) {
        near.unpipe().pause()
        far.unpipe().pause()
      }
    },
    heal() {
      silent = false
    },
    swallowNew() {
      silent = true
    },
    reset() {
      for (const { near } of relays) near.resetAndDestroy()
    },
    cutAt(text, when) {
      cut = { text, reaches: when === 'before its answer' }
    },
    leadTo(port) {
      leadsTo = port
    },
  }
}

// A TCP relay in front of a test server, for faults that a server cannot produce itself: freeze or reset a connection.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type TcpGate = {
  port: number
  // Both identify a connection by its source port at the server behind the gate.
  freeze(port: number): void
  reset(port: number): void
  close(): Promise<void>
}

export async function openTcpGate(serverPort: number): Promise<TcpGate> {
  const relays = new Map<number, { client: Socket; server: Socket }>()

  const gate = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: serverPort, host: '127.0.0.1', noDelay: true })
    server.once('connect', () => {
      const port = server.localPort ?? 0
      relays.set(port, { client, server })
      client.pipe(server).pipe(client)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')

  return {
    port: (gate.address() as AddressInfo).port,
    freeze(port) {
      const relay = relays.get(port)
      relay?.client.unpipe().pause()
      relay?.server.unpipe().pause()
    },
    reset: (port) => relays.get(port)?.client.resetAndDestroy(),
    async close() {
      for (const { client, server } of relays.values()) {
        client.destroy()
        server.destroy()
      }
      gate.close()
      await once(gate, 'close')
    },
  }
}

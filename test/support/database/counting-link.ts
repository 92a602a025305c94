// A TCP relay to PostgreSQL that counts what crosses the wire: statements, and how often the client waits for an answer.
// Connections that LISTEN are not counted: signals are hints that no request waits for.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type WireCost = { roundTrips: number; statements: number }

export type CountingLink = {
  port: number
  // What crosses the wire until `work` ends.
  costOf(work: () => Promise<unknown>): Promise<WireCost>
}

// The client waits after each of them: Query, Sync, Flush.
const ENDS_A_TRIP = new Set(['Q', 'S', 'H'])
// Query and Execute.
const RUNS_A_STATEMENT = new Set(['Q', 'E'])

export async function openCountingLink(serverPort: number): Promise<CountingLink> {
  const sockets = new Set<Socket>()
  let cost: WireCost = { roundTrips: 0, statements: 0 }

  const link = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1')
    const readMessages = createMessageReader()
    let isListener = false
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => {}))
      socket.on('close', () => [near, far].map((end) => end.destroy()))
    }
    near.on('data', (bytes) => {
      isListener ||= bytes.includes('listen ')
      for (const kind of isListener ? [] : readMessages(bytes)) {
        if (RUNS_A_STATEMENT.has(kind)) cost.statements += 1
        if (ENDS_A_TRIP.has(kind)) cost.roundTrips += 1
      }
      far.write(bytes)
    })
    far.pipe(near)
  })
  link.listen(0, '127.0.0.1')
  await once(link, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    link.close()
  })
  return {
    port: (link.address() as AddressInfo).port,
    async costOf(work) {
      cost = { roundTrips: 0, statements: 0 }
      await work()
      return { ...cost }
    },
  }
}

// Returns the kinds of the messages that are complete. The first message of a connection has no kind.
function createMessageReader(): (bytes: Buffer) => string[] {
  let unread = Buffer.alloc(0)
  let isStarted = false
  return (bytes) => {
    unread = Buffer.concat([unread, bytes])
    const kinds: string[] = []
    for (;;) {
      const start = isStarted ? 1 : 0
      if (unread.length < start + 4) return kinds
      const end = start + unread.readInt32BE(start)
      if (unread.length < end) return kinds
      if (isStarted) kinds.push(unread.toString('latin1', 0, 1))
      isStarted = true
      unread = unread.subarray(end)
    }
  }
}

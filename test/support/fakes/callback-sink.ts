// A local https server that receives callbacks: one path per receiver, scripted answers, every request recorded.
import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { selfSigned } from './self-signed.ts'

export type SinkAnswer =
  | { status: number; headers?: Record<string, string> }
  | 'never answer'
  | 'break off'
  // Writes a byte every 500 ms and never ends.
  | 'trickle'
  // Writes without end, as fast as the client reads.
  | 'flood'

export type ReceivedCallback = { headers: IncomingHttpHeaders; body: string; at: number }

export type Receiver = { url: string; received: ReceivedCallback[] }

export type CallbackSink = {
  ca: string
  // Gives these answers in order, then repeats the last one.
  receiver(...answers: SinkAnswer[]): Receiver
  // The number of requests waiting for an answer.
  open(): number
  // The number of bytes written by a flood.
  floodedBytes(): number
  breakConnections(): void
  close(): Promise<void>
}

export async function startCallbackSink(now: () => number): Promise<CallbackSink> {
  const { key, cert } = selfSigned()
  const receivers: { answers: SinkAnswer[]; received: ReceivedCallback[] }[] = []
  const open = new Set<ServerResponse>()
  let floodedBytes = 0
  const server = createServer({ key, cert }, async (request, response) => {
    const receiver = receivers[Number(request.url?.slice(1))]
    if (!receiver || request.method !== 'POST') return response.writeHead(404).end()
    open.add(response)
    response.on('close', () => {
      open.delete(response)
      floodedBytes = Math.max(floodedBytes, response.socket?.bytesWritten ?? 0)
    })
    receiver.received.push({ headers: request.headers, body: await text(request), at: now() })
    const { answers } = receiver
    give(response, (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    ca: cert,
    receiver(...answers) {
      const received: ReceivedCallback[] = []
      receivers.push({ answers, received })
      return { url: `https://127.0.0.1:${port}/${receivers.length - 1}`, received }
    },
    open: () => open.size,
    floodedBytes: () => floodedBytes,
    breakConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const CHUNK = Buffer.alloc(64 * 1024, 'x')

function give(response: ServerResponse, answer: SinkAnswer): void {
  if (answer === 'never answer') return
  if (answer === 'break off') {
    response.destroy()
    return
  }
  if (answer === 'trickle') {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 500)
    response.on('close', () => clearInterval(timer))
    return
  }
  if (answer === 'flood') {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write(CHUNK));
    }
    response.on('drain', pour)
    pour()
    return
  }
  response.writeHead(answer.status, answer.headers).end()
}

// A local bark-server: knows some keys, records what is pushed, and answers as it is told.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Answer = { status: number; message?: string; headers?: Record<string, string> }

export type FakeBarkServer = {
  url: string
  // The path of every request, in order.
  paths: string[]
  pushed: { headers: IncomingHttpHeaders; body: Record<string, string> }[]
  // Answers pushes with these, one each, and then with the last one; none: 200.
  answers: Answer[]
  // Resolves when the client has left an answer that never ends, which everything below /endless gets.
  endlessEnded: Promise<void>
  closeConnections(): void
  close(): Promise<void>
}

export async function startFakeBarkServer(keys: string[]): Promise<FakeBarkServer> {
  const { promise: endlessEnded, resolve: endEndless } = Promise.withResolvers<void>()
  const fake = { paths: [] as string[], pushed: [] as FakeBarkServer['pushed'], answers: [] as Answer[], endlessEnded }
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    fake.paths.push(path)
    const give = (status: number, message: string, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ code: status, message, timestamp: 1 }))
    if (path.startsWith('/endless/')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = setInterval(() => response.write('x'.repeat(8192)), 1)
      response.on('close', () => {
        clearInterval(more)
        endEndless()
      })
      return
    }
    if (path === '/moved/ping') return response.writeHead(302, { location: '/ping' }).end()
    if (path.endsWith('/ping')) return give(200, 'pong')
    const key = /\/register\/(.+)$/.exec(path)?.[1]
    if (key) return keys.includes(key) ? give(200, 'success') : give(400, 'key not found')
    const body = await text(request)
    if (!path.endsWith('/push') || request.method !== 'POST') return give(404, 'Not Found')
    fake.pushed.push({ headers: request.headers, body: JSON.parse(body) })
    const { answers } = fake
    const {
      status,
      message = 'success',
      headers,
    } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 200 }
    return give(status, message, headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}`,
    closeConnections: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
}

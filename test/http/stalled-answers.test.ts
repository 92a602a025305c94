// F04: an answer that the client does not read is cut off; a held request with nothing to write is kept.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cutStalledAnswers } from '../../src/http/connections/stalled-answers.ts'
import { eventually } from '../support/eventually.ts'

// More than both ends of a loopback connection buffer.
const BIG = 'x'.repeat(32_000_000)
// Disables the timer: the test emits the timeout.
const NEVER = 0

type Ends = { client: Socket & { received: string }; server: Socket }

async function startServer(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer)
  cutStalledAnswers(server, NEVER)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

async function ask({ server, port }: { server: Server; port: number }): Promise<Ends> {
  const requested = once(server, 'request')
  const client = Object.assign(connect(port, '127.0.0.1'), { received: '' })
  client.on('error', () => {})
  client.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [request] = await requested
  return { client, server: request.socket }
}

function read({ client }: Ends): Ends['client'] {
  client.setEncoding('utf8').on('data', (text) => {
    client.received += text
  })
  return client.resume()
}

describe('a connection without traffic for the timeout', () => {
  test('is cut when an answer waits to be written', async () => {
    const started = await startServer((_request, answer) => answer.end(BIG))
    const ends = await ask(started)
    await eventually(() => expect(ends.server.writableLength).toBeGreaterThan(0))
    started.server.emit('timeout', ends.server)
    expect(ends.server.destroyed).toBe(true)
  })

  test('is cut by the timer, and its memory is freed', async () => {
    const answer: RequestListener = ({ socket }, response) => {
      // Not before: a connection on which no request has arrived in time is cut as well.
      socket.setTimeout(50)
      response.end(BIG)
    }
    const ends = await ask(await startServer(answer))
    await eventually(() => expect([ends.server.destroyed, ends.server.writableLength]).toEqual([true, 0]))
  })

  test('is kept when the request is held and has nothing to write', async () => {
    let finish = () => {}
    const started = await startServer((_request, answer) => {
      finish = () => answer.end('at last')
    })
    const ends = await ask(started)
    started.server.emit('timeout', ends.server)
    finish()
    const client = read(ends)
    await eventually(() => expect(client.received).toContain('at last'))
  })

  test('is kept when it is a stream whose client has read everything', async () => {
    let write = (_text: string) => {}
    const started = await startServer((_request, answer) => {
      write = (text) => answer.write(text)
      write('first')
    })
    const ends = await ask(started)
    const client = read(ends)
    await eventually(() => expect(client.received).toContain('first'))
    started.server.emit('timeout', ends.server)
    write('second')
    await eventually(() => expect(client.received).toContain('second'))
  })

  test('is closed when it is idle after an answer', async () => {
    const started = await startServer((_request, answer) => answer.end('done'))
    const ends = await ask(started)
    const client = read(ends)
    await eventually(() => expect(client.received).toContain('done'))
    started.server.emit('timeout', ends.server)
    await eventually(() => expect(client.destroyed).toBe(true))
  })
})

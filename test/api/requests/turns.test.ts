// Requests that arrive in one turn of the event loop are all read before the first of them asks the database.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { openSocket } from '../../support/raw-http.ts'

const app = useTestApp()

test('requests of two connections go on after both were read', async () => {
  const { token } = await app.addUser()
  const sockets = await Promise.all([openSocket(app.url), openSocket(app.url)])
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const exchange = async () => {
    const answered = sockets.map((socket) => once(socket, 'data'))
    // The server is in this process, so both requests are there when it polls next.
    for (const socket of sockets)
      socket.write(`GET /widgets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    await Promise.all(answered)
  }
  // So that nothing waits for a file or a connection later.
  await exchange()
  const log = followServer()
  await exchange()
  expect(log.slice(0, 3)).toEqual(['read', 'read', 'asks the database'])
})

function followServer(): string[] {
  const log: string[] = []
  const noteRead = () => void log.push('read')
  subscribe('http.server.request.start', noteRead)
  onTestFinished(() => void unsubscribe('http.server.request.start', noteRead))
  const { read } = app.app.ctx.db
  const { cached } = read
  vi.spyOn(read, 'cached').mockImplementation((query, make) => {
    log.push('asks the database')
    return cached(query, make)
  })
  onTestFinished(() => void vi.restoreAllMocks())
  return log
}

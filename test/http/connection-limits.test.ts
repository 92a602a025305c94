// The connection limit per client. The sockets have fake addresses, because a test cannot connect from elsewhere.
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { limitConnections } from '../../src/http/connections/limits.ts'
import { loadConfig } from '../../src/runtime/config.ts'
import { NO_METRICS } from '../../src/runtime/metrics/metrics.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'

class FakeSocket extends EventEmitter {
  destroyed = false
  readonly remoteAddress: string | undefined
  constructor(remoteAddress: string | undefined) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

function open(settings: Record<string, string>) {
  const server = new EventEmitter() as Server
  const { log, lines } = createMemoryLog()
  limitConnections(server, { config: loadConfig({}, settings, 'no-such-file.json'), log, metrics: NO_METRICS })
  const connect = (address: string | undefined) => {
    const socket = new FakeSocket(address)
    server.emit('connection', socket)
    return socket
  }
  return { server, connect, warnings: () => lines.map((line) => JSON.parse(line)) }
}

const THREE = { HELIOGRAPH_MAX_CONNECTIONS_PER_ADDRESS: '3' }
const refusals = (sockets: FakeSocket[]) => sockets.map(({ destroyed }) => destroyed)
const four = [1, 2, 3, 4]

describe('connections of one address', () => {
  test('connections above the limit are closed, and closing one frees its place', () => {
    const { connect } = open(THREE)
    const sockets = four.map(() => connect('203.0.113.7'))
    expect(refusals(sockets)).toEqual([false, false, false, true])
    sockets[0]?.destroy()
    expect(refusals([connect('203.0.113.7'), connect('203.0.113.7')])).toEqual([false, true])
  })

  test('each address has its own limit; an IPv6 /64 counts as one address', () => {
    const { connect } = open(THREE)
    for (const last of four) expect(connect(`203.0.113.${last}`).destroyed).toBe(false)
    expect(refusals(four.map((last) => connect(`2001:db8:1:2::${last}`)))).toEqual([false, false, false, true])
  })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', undefined])(
    'loopback, trusted proxies and sockets already closed have no limit: %s',
    (address) => {
      const { connect } = open({ ...THREE, HELIOGRAPH_TRUST_PROXY: '10.0.0.0/8' })
      expect(refusals(four.map(() => connect(address)))).toEqual([false, false, false, false])
    },
  )

  test('0 switches the limit off', () => {
    const { connect } = open({ HELIOGRAPH_MAX_CONNECTIONS_PER_ADDRESS: '0' })
    expect(refusals(four.map(() => connect('203.0.113.7')))).toEqual([false, false, false, false])
  })
})

test('refused connections are logged immediately and then once a minute, with their number', () => {
  vi.useFakeTimers()
  try {
    const { server, connect, warnings } = open(THREE)
    for (let i = 0; i < 10; i++) connect('203.0.113.7')
    for (let i = 0; i < 5; i++) server.emit('drop')
    expect(warnings()).toMatchObject([{ msg: 'connections were refused', ofAddress: 1, ofServer: 0 }])
    vi.advanceTimersByTime(60_000)
    expect(warnings()).toMatchObject([{}, { ofAddress: 6, ofServer: 5 }])
    vi.advanceTimersByTime(600_000)
    expect(warnings()).toHaveLength(2)
    server.emit('drop')
    expect(warnings()).toHaveLength(3)
  } finally {
    vi.useRealTimers()
  }
})

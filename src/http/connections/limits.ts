// Bounds the connections of a client address, and logs refused connections: those beyond this bound, and those that
// Node drops because the server has too many in all.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type AddressRange, parseAddressRanges } from '../../domain/address-rules.ts'
import type { Context } from '../../operations/context.ts'
import { countedAddress, isTrustedProxy } from './client-address.ts'

// A flood of connections must not become a flood of log lines.
const REPORT_MS = 60_000

type LimitParts = Pick<Context, 'config' | 'log' | 'metrics'>

export function limitConnections(server: Server, { config, log, metrics }: LimitParts): void {
  const { maxConnections, maxConnectionsPerAddress: most } = config
  server.maxConnections = maxConnections
  const report = createReport((refused) =>
    log.warn({ ...refused, maxConnections, maxConnectionsPerAddress: most }, 'connections were refused'),
  )
  server.on('drop', () => {
    metrics.connectionRefused('server')
    report('ofServer')
  })
  if (most === 0) return

  const trusted = parseAddressRanges(config.trustProxy)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isExempt(remoteAddress, trusted)) return
    const address = countedAddress(remoteAddress)
    const count = open.get(address) ?? 0
    if (count >= most) {
      metrics.connectionRefused('address')
      report('ofAddress')
      socket.destroy()
      return
    }
    open.set(address, count + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}

// A proxy holds the connections of all its clients. A proxy on this machine may be missing from the trusted ones.
function isExempt(remoteAddress: string, trusted: AddressRange[]): boolean {
  const isLoopback = ipaddr.isValid(remoteAddress) && ipaddr.process(remoteAddress).range() === 'loopback'
  return isLoopback || isTrustedProxy(remoteAddress, trusted)
}

type Refused = { ofServer: number; ofAddress: number }

// The first refusal is logged at once, those of the following minute together.
function createReport(write: (refused: Refused) => void): (which: keyof Refused) => void {
  let refused: Refused = { ofServer: 0, ofAddress: 0 }
  let timer: NodeJS.Timeout | undefined

  function flush() {
    timer = undefined
    if (refused.ofServer + refused.ofAddress === 0) return
    write(refused)
    refused = { ofServer: 0, ofAddress: 0 }
    timer = setTimeout(flush, REPORT_MS).unref()
  }

  return (which) => {
    refused[which] += 1
    if (!timer) flush()
  }
}

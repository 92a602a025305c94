// Which requests become WebSockets.
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { canDeclineUpgrades, isAppSocketRequest } from '../../src/http/doors/app-sockets.ts'

test.each([
  ['22.16.0', false],
  ['22.21.0', true],
  ['23.11.0', false],
  ['24.8.0', false],
  ['24.9.0', true],
  ['25.0.0', true],
])('Node.js %s can decline an upgrade: %s', (version, expected) => {
  expect(canDeclineUpgrades(version)).toBe(expected)
})

describe('a request to upgrade', () => {
  const isUpgraded = (upgrade: string, path: string) =>
    isAppSocketRequest({ headers: { upgrade } } as IncomingMessage, path)

  test.each(['/ntfy/inbox/ws', '/ntfy/a,b/ws?since=all', '/gotify/stream?token=x'])('%s', (path) => {
    expect(isUpgraded('websocket', path)).toBe(true)
    expect(isUpgraded('WebSocket', path)).toBe(true)
    // Java's client offers it on every connection.
    expect(isUpgraded('h2c', path)).toBe(false)
  })

  test.each(['/notifications', '/ntfy/inbox/json', '/events?x=/ntfy/ws', '/ntfy?ws'])('not %s', (path) => {
    expect(isUpgraded('websocket', path)).toBe(false)
  })
})

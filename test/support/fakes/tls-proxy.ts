// A proxy that ends TLS before a server, as people put one before theirs.
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from './self-signed.mjs'

// It has an address, by the name of its host, before the server has started.
export async function startTlsProxy(host: string): Promise<{ url: string; passTo(target: string): void }> {
  let target = ''
  const proxy = createServer(selfSigned(), (asked, answer) => {
    const { method, url, headers } = asked
    const forwarded = { ...headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': headers.host }
    const passed = request(new URL(url ?? '/', target), { method, headers: forwarded }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return {
    url: `https://${host}:${(proxy.address() as AddressInfo).port}`,
    passTo(url) {
      target = url
    },
  }
}

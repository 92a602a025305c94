// Pings of heartbeats from the command line: by the slug, whose address the server tells, or by the address itself.
import type { HeartbeatView } from '../../contract/heartbeats.ts'
import { type Api, connectionError, type Server } from './api.ts'
import { ClientError, EXIT_CODES, notHeliograph } from './errors.ts'
import { request } from './http.ts'

const TIMEOUT_MS = 30_000

// `action`: such as `/start` or `/1`; empty for a success.
export type SendPing = (action: string, body?: string) => Promise<void>

// The path is taken from the address that the server tells, because it may name itself by another host.
export async function pingerOf(api: Api, { url }: Pick<Server, 'url'>, slug: string): Promise<SendPing> {
  const { body } = await api<HeartbeatView>('GET', `/heartbeats/${encodeURIComponent(slug)}`)
  if (body.ping_url === undefined) {
    throw new ClientError(
      EXIT_CODES.refused,
      `this key may not see the address of ${slug}: that needs notifications:schedule`,
    )
  }
  return pingerAt(url + new URL(body.ping_url).pathname)
}

export const isPingAddress = (text: string): boolean => /^https?:\/\//.test(text)

export function pingerAt(address: string): SendPing {
  const url = address.replace(/\/+$/, '')
  return async (action, body = '') => {
    const options = { method: 'POST', headers: { 'content-type': 'text/plain' }, body, timeoutMs: TIMEOUT_MS }
    const { status, headers } = await request(url + action, options).catch((error) => {
      throw connectionError(new URL(url).origin, error, TIMEOUT_MS)
    })
    if (status === 404) throw new ClientError(EXIT_CODES.notFound, 'no heartbeat has this address')
    if (status === 429) throw new ClientError(EXIT_CODES.limited, 'too many pings within a minute')
    if (status !== 200) throw notHeliograph(new URL(url).origin, status, headers)
  }
}

// The APNs channel: one gateway for each of Apple's two environments, and the provider token they share.
import { createSecureContext } from 'node:tls'
import type { PushResult } from '../../../domain/push.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { newUuid } from '../../../runtime/ids.ts'
import type { Log } from '../../../runtime/log.ts'
import { Gateway } from './gateway.ts'
import { Pool } from './pool.ts'
import { createProviderToken, type ProviderKey } from './provider-token.ts'
import { type ApnsEnvironment, type ApnsPush, topicsOf } from './request.ts'

export type ApnsOptions = ProviderKey & {
  topic: string
  productionUrl: string
  sandboxUrl: string
  clock: Clock
  log: Log
  tls?: { ca?: string }
}

export type ApnsChannel = {
  // Never rejects.
  push(push: ApnsPush): Promise<PushResult>
}
export type OpenApns = ApnsChannel & { close(): Promise<void> }

// Throws if the key or a URL is invalid. Connects with the first push.
export function openApns(options: ApnsOptions): OpenApns {
  const providerToken = createProviderToken(options, options.clock)
  const secureContext = createSecureContext(options.tls)
  const topics = topicsOf(options.topic)
  const { clock } = options

  function openGateway(environment: ApnsEnvironment, address: string): Gateway {
    const url = new URL(address).origin
    const log = options.log.child({ channel: 'apns', environment })
    const pool = new Pool({ url, secureContext, clock, log })
    return new Gateway({ pool, providerToken, topics, clock, log })
  }

  const gateways = {
    production: openGateway('production', options.productionUrl),
    sandbox: openGateway('sandbox', options.sandboxUrl),
  }
  return {
    push: (push) => gateways[push.environment].push(push),
    close: async () => {
      await Promise.all([gateways.production.close(), gateways.sandbox.close()])
    },
  }
}

const NO_DEVICE = '0'.repeat(64)
const DEADLINE_MS = 4000

// Asks APNs whether it takes our key, by a push to a device that does not exist. On a connection of its own: refused pushes
// make APNs close a connection sooner, and those of the server must not suffer.
export async function probeApns(options: ApnsOptions, environment: ApnsEnvironment): Promise<PushResult> {
  const channel = openApns(options)
  try {
    return await channel.push({
      environment,
      token: NO_DEVICE,
      type: 'background',
      id: newUuid(),
      priority: 5,
      payload: '{"aps":{"content-available":1}}',
      deadlineMs: DEADLINE_MS,
    })
  } finally {
    await channel.close()
  }
}

// The way to Apple devices: one gateway for each of Apple's two environments, and the provider token they share.
import { createSecureContext } from 'node:tls'
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import type { Outcome } from '../channel.ts'
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
  // Never rejects: whatever happens is an outcome.
  push(push: ApnsPush): Promise<Outcome>
}
export type OpenApns = ApnsChannel & { close(): Promise<void> }

// Throws when the key or an address cannot be used; connects with the first push.
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

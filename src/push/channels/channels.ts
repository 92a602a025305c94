// The push channels, opened from plain data, so that they can be opened in a thread.
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { openOutbound } from '../outbound-http.ts'
import { type ApnsChannel, type ApnsOptions, openApns } from './apns/apns.ts'
import { type BarkServerChannel, openBarkServers } from './bark/bark-server.ts'
import { openWebPush, type WebPushChannel, type WebPushOptions } from './web-push/web-push.ts'

// `apns`, `bark`: undefined if no key for our own app, or for the Bark app, is configured.
export type ChannelOptions = {
  apns: Omit<ApnsOptions, 'clock' | 'log' | 'tls'> | undefined
  bark: Omit<ApnsOptions, 'clock' | 'log' | 'tls'> | undefined
  webPush: Pick<WebPushOptions, 'keys' | 'subject'>
  outboundAllow: string[]
  // Trusted instead of the default certificate authorities.
  ca: string | undefined
}

export type Channels = {
  apns: ApnsChannel | undefined
  // With a key, connections and a breaker of its own: what Apple refuses for one app does not concern the other.
  bark: ApnsChannel | undefined
  barkServers: BarkServerChannel
  webPush: WebPushChannel
  close(): Promise<void>
}

export type OpenChannels = (options: ChannelOptions, parts: { clock: Clock; log: Log }) => Channels

export const openChannels: OpenChannels = (options, { clock, log }) => {
  const { ca } = options
  const apns = options.apns && openApns({ clock, log, tls: { ca }, ...options.apns })
  const bark = options.bark && openApns({ clock, log: log.child({ app: 'bark' }), tls: { ca }, ...options.bark })
  const outbound = openOutbound({ allow: options.outboundAllow, log, ca })
  const webPush = openWebPush({ outbound, clock, ...options.webPush })
  return {
    apns,
    bark,
    barkServers: openBarkServers({ outbound, clock }),
    webPush,
    close: async () => {
      await Promise.all([apns?.close(), bark?.close(), outbound.close()])
    },
  }
}

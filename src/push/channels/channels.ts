// The two push channels, opened from plain data, so that they can be opened in a thread.
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { openOutbound } from '../outbound-http.ts'
import { type ApnsChannel, type ApnsOptions, openApns } from './apns/apns.ts'
import { openWebPush, type WebPushChannel, type WebPushOptions } from './web-push/web-push.ts'

// `apns` is undefined if no APNs key is configured.
export type ChannelOptions = {
  apns: Omit<ApnsOptions, 'clock' | 'log' | 'tls'> | undefined
  webPush: Pick<WebPushOptions, 'keys' | 'subject'>
  outboundAllow: string[]
  // Trusted instead of the default certificate authorities.
  ca: string | undefined
}

export type Channels = { apns: ApnsChannel | undefined; webPush: WebPushChannel; close(): Promise<void> }

export type OpenChannels = (options: ChannelOptions, parts: { clock: Clock; log: Log }) => Channels

export const openChannels: OpenChannels = (options, { clock, log }) => {
  const { ca } = options
  const apns = options.apns && openApns({ clock, log, tls: { ca }, ...options.apns })
  const outbound = openOutbound({ allow: options.outboundAllow, log, ca })
  const webPush = openWebPush({ outbound, clock, ...options.webPush })
  return {
    apns,
    webPush,
    close: async () => {
      await Promise.all([apns?.close(), outbound.close()])
    },
  }
}

// The two ways to devices, made of plain data, so that they can be opened in a thread of their own.
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { openOutbound } from '../outbound-http.ts'
import { type ApnsChannel, type ApnsOptions, openApns } from './apns/apns.ts'
import { openWebPush, type WebPushChannel, type WebPushOptions } from './web-push/web-push.ts'

// Without credentials there is no way to Apple.
export type ChannelOptions = {
  apns: Omit<ApnsOptions, 'clock' | 'log' | 'tls'> | undefined
  webPush: Pick<WebPushOptions, 'keys' | 'subject'>
  outboundAllow: string[]
  // Trusted instead of the authorities that everyone trusts.
  ca: string | undefined
}

export type Channels = { apns: ApnsChannel | undefined; webPush: WebPushChannel; close(): Promise<void> }

export function openChannels(options: ChannelOptions, { clock, log }: { clock: Clock; log: Log }): Channels {
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

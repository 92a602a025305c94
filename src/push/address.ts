// Pushes a message to an address, over the channel that the address belongs to.
import type { PushAddress } from '../domain/devices.ts'
import { PUSH_DEADLINE_MS, type PushMessage, type PushResult } from '../domain/push.ts'
import type { Channels } from './channels/channels.ts'
import { apnsRequest, webPushRequest } from './requests.ts'

export type PushTo = (address: PushAddress, message: PushMessage) => Promise<PushResult>

const NO_APNS_KEY: PushResult = { result: 'rejected', reason: 'this server has no APNs key' }

export const createPushTo =
  ({ apns, webPush }: Pick<Channels, 'apns' | 'webPush'>): PushTo =>
  async (address, message) => {
    const deadlineMs = PUSH_DEADLINE_MS
    if (address.kind === 'web_push') {
      const { endpoint, p256dh, auth } = address
      return webPush.push({ ...webPushRequest(message), endpoint, keys: { p256dh, auth }, deadlineMs })
    }
    if (!apns) return NO_APNS_KEY
    const { environment, token, deviceId } = address
    return apns.push({ ...apnsRequest(message, deviceId), environment, token, deadlineMs })
  }

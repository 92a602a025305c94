// Pushes a message to an address, over the channel that the address belongs to.

import { unseal } from '../domain/apps/sealing.ts'
import { type BarkAddress, isBarkAddress, type PushAddress } from '../domain/devices.ts'
import type { BarkTarget } from '../domain/doors/bark/address.ts'
import { isDeletion } from '../domain/doors/bark/parameters.ts'
import { type BarkPush, PUSH_DEADLINE_MS, type PushMessage, type PushResult } from '../domain/push.ts'
import type { Channels } from './channels/channels.ts'
import { barkPayload, fittedForBark } from './payload/bark.ts'
import { apnsRequest, webPushRequest } from './requests.ts'

export type PushTo = (address: PushAddress, message: PushMessage) => Promise<PushResult>

const NO_APNS_KEY: PushResult = { result: 'rejected', reason: 'this server has no APNs key' }
const NO_BARK_KEY: PushResult = { result: 'rejected', reason: 'this server has no key for the Bark app' }
const NOT_OPENED: PushResult = {
  result: 'rejected',
  reason: 'this server cannot open the address of the app: it was sealed with another sealing.key',
}

export const createPushTo =
  (channels: Omit<Channels, 'close'>, sealingKey: Buffer): PushTo =>
  async (address, message) => {
    const deadlineMs = PUSH_DEADLINE_MS
    if (isBarkAddress(address)) {
      if (message.kind !== 'bark') throw new Error(`a Bark phone cannot show a ${message.kind}`)
      return pushToBark(channels, sealingKey, address, message)
    }
    if (message.kind === 'bark') throw new Error('only a Bark phone can show this message')
    if (address.kind === 'web_push') {
      const { endpoint, p256dh, auth } = address
      return channels.webPush.push({ ...webPushRequest(message), endpoint, keys: { p256dh, auth }, deadlineMs })
    }
    if (!channels.apns) return NO_APNS_KEY
    const { environment, token, deviceId } = address
    return channels.apns.push({ ...apnsRequest(message, deviceId), environment, token, deadlineMs })
  }

async function pushToBark(
  { bark, barkServers }: Omit<Channels, 'close'>,
  sealingKey: Buffer,
  { userId: account, deviceId, sealed }: BarkAddress,
  { parameters, pushId, priority, expiresAt }: BarkPush,
): Promise<PushResult> {
  const opened = unseal(sealingKey, deviceId, sealed)
  if (opened === undefined) return NOT_OPENED
  const { encryption, ...target } = JSON.parse(opened) as BarkTarget
  if ('base' in target) {
    const { base, key, authorization } = target
    const body = { device_key: key, ...fittedForBark(parameters, encryption) }
    const request = { account, base, authorization, body: JSON.stringify(body) }
    return barkServers.push({ ...request, deadlineMs: PUSH_DEADLINE_MS })
  }
  if (!bark) return NO_BARK_KEY
  const sent = fittedForBark(parameters, encryption)
  return orKeyRefused(
    await bark.push({
      environment: 'production',
      token: target.token,
      type: isDeletion(parameters) ? 'background' : 'alert',
      id: pushId,
      priority,
      collapseId: parameters.id,
      expiresAt,
      payload: JSON.stringify(barkPayload(sent)),
      deadlineMs: PUSH_DEADLINE_MS,
    }),
  )
}

const KEY_REFUSALS = [
  'InvalidProviderToken',
  'ExpiredProviderToken',
  'Forbidden',
  'BadEnvironmentKeyIdInToken',
  'TopicDisallowed',
]

// The key belongs to the author of the app, who may withdraw it.
const orKeyRefused = (pushed: PushResult): PushResult =>
  pushed.result === 'rejected' && KEY_REFUSALS.includes(pushed.reason)
    ? { ...pushed, reason: `Apple refused this server’s key for Bark (${pushed.reason})` }
    : pushed

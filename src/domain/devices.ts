// A device of the account, and the addresses at which it can be reached.

import {
  type APNS_ENVIRONMENTS,
  APP_KINDS,
  type AppKind,
  type CHANNELS,
  type DeviceInput,
  type PLATFORMS,
} from '../contract/devices.ts'
import type { DeviceId } from '../contract/ids.ts'
import { LIMITS, type Plan } from '../contract/limits.ts'
import { Problem, type Violation } from '../contract/problems.ts'
import { forbiddenUrlReason } from './address-rules.ts'
import type { UserId } from './caller.ts'
import type { Instant } from './instant.ts'

export type { DeviceId }

// For ids that do not come from a validated parameter: of tokens, and of answers.
export const deviceId = (text: string): DeviceId => text as DeviceId

export type Platform = (typeof PLATFORMS)[number] | AppKind
export type Channel = (typeof CHANNELS)[number]

export type Device = {
  userId: UserId
  id: DeviceId
  name: string
  platform: Platform
  channel: Channel
  tags: string[]
  createdAt: Instant
  lastSeenAt: Instant
  lastPushAt: Instant | null
  lastPushError: string | null
}

export const isApp = ({ platform }: Device): boolean => APP_KINDS.some((kind) => kind === platform)

export type ApnsEnvironment = (typeof APNS_ENVIRONMENTS)[number]

// The kind of pushes that an address takes. Apple issues a token for each.
export type PushTokenKind = 'alert' | 'push_to_start' | 'widget' | 'activity' | 'web_push'

export type Registered = { userId: UserId; deviceId: DeviceId; registeredAt: Instant }

export type ApnsToken = Registered & {
  kind: Exclude<PushTokenKind, 'web_push'>
  token: string
  environment: ApnsEnvironment
  // Only on `activity` tokens. The slug of the registration if there is no such activity yet.
  activityId: string | null
}

export type WebPushSubscription = Registered & {
  kind: 'web_push'
  endpoint: string
  p256dh: string
  auth: string
}

export type PushToken = ApnsToken | WebPushSubscription

// A push token with the name of its device.
export type PushAddress = PushToken & { deviceName: string }

// A device without a token for notifications: it gets them over its event stream, while that is open.
export type StreamAddress = { kind: 'stream'; userId: UserId; deviceId: DeviceId; deviceName: string }

export type DeviceAddress = PushAddress | StreamAddress

export const isPushAddress = (address: DeviceAddress): address is PushAddress => address.kind !== 'stream'
export const isStreamAddress = (address: DeviceAddress): address is StreamAddress => address.kind === 'stream'

// Rules for a registration that no schema can state. `outboundAllow`: private ranges that the operator has opened.
export function registrationViolations(
  { apns, web_push: webPush }: DeviceInput,
  outboundAllow: readonly string[],
): Violation[] {
  const violations: Violation[] = []
  if (apns && webPush) violations.push({ location: 'body.web_push', message: 'cannot be sent together with apns' })
  const reason = webPush && forbiddenUrlReason(webPush.endpoint, outboundAllow)
  if (reason) violations.push({ location: 'body.web_push.endpoint', message: reason })
  return violations
}

export function registeredTokens({ apns, web_push: webPush }: DeviceInput, registered: Registered): PushToken[] {
  if (webPush) return [{ ...registered, kind: 'web_push', endpoint: webPush.endpoint, ...webPush.keys }]
  if (!apns) return []
  const { environment } = apns
  const given = [
    { kind: 'alert', token: apns.device_token },
    { kind: 'push_to_start', token: apns.push_to_start_token },
    { kind: 'widget', token: apns.widget_push_token },
  ] as const
  return given.flatMap(({ kind, token }) =>
    token === undefined ? [] : [{ ...registered, kind, token, environment, activityId: null }],
  )
}

export function requireRoomForDevice(plan: Plan, count: number): void {
  const limit = LIMITS.device.maxPerAccount[plan]
  if (count < limit) return
  throw new Problem(
    'device.limit_exceeded',
    `An account on the ${plan} plan has at most ${limit} devices; delete one first.`,
  )
}

// A device of the account, and the addresses at which it can be reached.

import {
  type AddedApp,
  type APNS_ENVIRONMENTS,
  APP_KINDS,
  type CHANNELS,
  type DeviceInput,
  type DeviceOptions,
  type PLATFORMS,
} from '../contract/devices.ts'
import type { DeviceId } from '../contract/fields.ts'
import { Problem, type Violation } from '../contract/problems.ts'
import { forbiddenUrlReason } from './address-rules.ts'
import type { UserId } from './caller.ts'
import type { Instant } from './instant.ts'
import type { Plan } from './plans.ts'

export type { DeviceId }

// For ids that do not come from a validated parameter: of tokens, and of answers.
export const deviceId = (text: string): DeviceId => text as DeviceId

export type Platform = (typeof PLATFORMS)[number] | AddedApp
export type Channel = (typeof CHANNELS)[number]

export type Device = {
  userId: UserId
  id: DeviceId
  name: string
  platform: Platform
  channel: Channel
  tags: string[]
  // Those that the owner has set.
  options: DeviceOptions
  createdAt: Instant
  lastSeenAt: Instant
  lastPushAt: Instant | null
  lastPushError: string | null
}

// Whether it holds a connection with the password of an app.
export const isApp = ({ platform }: Device): boolean => APP_KINDS.some((kind) => kind === platform)

export type ApnsEnvironment = (typeof APNS_ENVIRONMENTS)[number]

// The kind of pushes that an address takes. Apple issues a token for each.
// `bark`: a phone with the Bark app, at APNs; `bark_server`: one behind a bark-server.
export type PushTokenKind = ApnsTokenKind | 'web_push' | BarkKind
type ApnsTokenKind = 'alert' | 'push_to_start' | 'widget' | 'activity'
export type BarkKind = 'bark' | 'bark_server'

export type Registered = { userId: UserId; deviceId: DeviceId; registeredAt: Instant }

export type ApnsToken = Registered & {
  kind: ApnsTokenKind
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

// `sealed`: a BarkTarget, which only the channel opens.
export type BarkLink = Registered & { kind: BarkKind; sealed: string }

export type PushToken = ApnsToken | WebPushSubscription | BarkLink

// `isRemovalAsked`: the app says that the server was removed from it, and nobody has answered whether that is so.
type ShownLink = BarkLink & { options: DeviceOptions; isRemovalAsked: boolean }

// A push token with the name of its device.
export type PushAddress = (ApnsToken | WebPushSubscription | ShownLink) & { deviceName: string }
export type BarkAddress = Extract<PushAddress, { kind: BarkKind }>

// A device without a token for notifications: it gets them over its event stream, while that is open.
export type StreamAddress = { kind: 'stream'; userId: UserId; deviceId: DeviceId; deviceName: string }

export type DeviceAddress = PushAddress | StreamAddress

export const isPushAddress = (address: DeviceAddress): address is PushAddress => address.kind !== 'stream'
export const isBarkAddress = (address: DeviceAddress): address is BarkAddress =>
  address.kind === 'bark' || address.kind === 'bark_server'
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

export function requireRoomForDevice({ name, caps }: Plan, count: number): void {
  const limit = caps.devices
  if (count < limit) return
  throw new Problem(
    'device.limit_exceeded',
    `An account on the ${name} plan has at most ${limit} devices; delete one first.`,
  )
}

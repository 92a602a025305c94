// Devices as clients register and see them. No response repeats a push address or a secret.
import { type Static, Type } from 'typebox'
import { closed, NonBlankText, OneOf, Slug, Text, Timestamp } from './fields.ts'
import { DeviceId } from './ids.ts'
import { LIMITS } from './limits.ts'

export const PLATFORMS = ['ios', 'ipados', 'macos', 'watchos', 'web', 'android'] as const
// Apps of other services, which are added by POST /devices/apps.
export const APP_KINDS = ['ntfy', 'gotify'] as const
export type AppKind = (typeof APP_KINDS)[number]
export const CHANNELS = ['apns', 'web_push', 'stream'] as const
export const APNS_ENVIRONMENTS = ['production', 'sandbox'] as const

export const DeviceParams = Type.Object({ device_id: DeviceId })
export const DeviceActivityParams = Type.Object({ device_id: DeviceId, slug: Slug })

// Apple says not to assume a size or format of device tokens, so the pattern only excludes impossible characters.
function PrintableAscii(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: '^[!-~]*$', description: 'printable ASCII without spaces' })
}

const Apns = Type.Object(
  {
    device_token: PrintableAscii(LIMITS.device.maxPushTokenChars),
    environment: OneOf(APNS_ENVIRONMENTS),
    push_to_start_token: Type.Optional(PrintableAscii(LIMITS.device.maxPushTokenChars)),
    widget_push_token: Type.Optional(PrintableAscii(LIMITS.device.maxPushTokenChars)),
  },
  { ...closed, title: 'ApnsAddress' },
)

// The pattern of p256dh is base64url of 65 bytes that begin with 4.
const WebPush = Type.Object(
  {
    endpoint: PrintableAscii(LIMITS.url.maxChars),
    keys: Type.Object(
      {
        p256dh: Type.String({
          pattern: '^B[A-P][A-Za-z0-9_-]{85}=?$',
          description: 'an uncompressed P-256 public key (65 bytes) in base64url',
        }),
        auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', description: '16 bytes in base64url' }),
      },
      closed,
    ),
  },
  { ...closed, title: 'WebPushSubscription' },
)

// A registration replaces the one before: members that it leaves out are removed.
export const DeviceInput = Type.Object(
  {
    name: Text(LIMITS.device.maxNameChars, { minLength: 1 }),
    platform: OneOf(PLATFORMS),
    tags: Type.Optional(Type.Array(NonBlankText(LIMITS.device.maxTagChars), { maxItems: LIMITS.device.maxTags })),
    apns: Type.Optional(Apns),
    web_push: Type.Optional(WebPush),
  },
  {
    ...closed,
    title: 'DeviceInput',
    description: 'With neither apns nor web_push, the device only listens to the event stream.',
    examples: [
      { name: 'Ada’s iPhone', platform: 'ios', apns: { device_token: '00fc13adff785122', environment: 'production' } },
      { name: 'Kitchen display', platform: 'web', tags: ['kitchen'] },
    ],
  },
)
export type DeviceInput = Static<typeof DeviceInput>

export const DevicePatch = Type.Object(
  { name: Type.Optional(DeviceInput.properties.name), tags: DeviceInput.properties.tags },
  { ...closed, title: 'DevicePatch', examples: [{ name: 'Old phone', tags: ['spare'] }] },
)
export type DevicePatch = Static<typeof DevicePatch>

export const DeviceView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    platform: OneOf([...PLATFORMS, ...APP_KINDS]),
    channel: OneOf(CHANNELS, 'The channel of its notifications; `stream` when it has no push address.'),
    tags: Type.Array(Type.String()),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    last_push_at: Type.Optional(Timestamp),
    last_push_error: Type.Optional(Type.String()),
  },
  { title: 'Device' },
)
export type DeviceView = Static<typeof DeviceView>

export const ActivityTokenInput = Type.Object(
  { push_update_token: PrintableAscii(LIMITS.device.maxPushUpdateTokenChars) },
  { ...closed, title: 'ActivityTokenInput', examples: [{ push_update_token: '80d5a1c3f04e' }] },
)
export type ActivityTokenInput = Static<typeof ActivityTokenInput>

export const WidgetToken = Type.Object(
  { token: Type.String({ description: 'The secret. No later response repeats it.', examples: ['hlw_…'] }) },
  { title: 'WidgetToken' },
)

export const WebPushKey = Type.Object(
  { public_key: Type.String({ description: 'The VAPID public key: pass it to the browser as applicationServerKey.' }) },
  { title: 'WebPushKey' },
)

export const AppDeviceInput = Type.Object(
  {
    kind: OneOf(APP_KINDS, 'The service whose app it is.'),
    name: DeviceInput.properties.name,
  },
  { ...closed, title: 'AppDeviceInput', examples: [{ kind: 'ntfy', name: 'Pixel' }] },
)
export type AppDeviceInput = Static<typeof AppDeviceInput>

export const AppDeviceView = Type.Object(
  {
    device: DeviceView,
    server_url: Type.String({ description: 'The address of the server, to be typed into the app.' }),
    user: Type.String({ description: 'The user name for the app. This server accepts any.' }),
    password: Type.String({ description: 'The secret of this device alone. No later response repeats it.' }),
    topic: Type.Optional(Type.String({ description: 'The topic with every notification, for ntfy.' })),
    deep_link: Type.Optional(
      Type.String({ description: 'Opened on the phone, it sets the app up. It contains the password.' }),
    ),
  },
  { title: 'AppDevice' },
)
export type AppDeviceView = Static<typeof AppDeviceView>

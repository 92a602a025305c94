// Devices as clients register and see them. No response repeats a push address or a secret.
import { type Static, Type } from 'typebox'
import { closed, DeviceId, NonBlankText, OneOf, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const PLATFORMS = ['ios', 'ipados', 'macos', 'watchos', 'web', 'android'] as const
// Apps of other services that connect to this server with a password.
export const APP_KINDS = ['ntfy', 'gotify'] as const
export type AppKind = (typeof APP_KINDS)[number]
// With those that are pushed to. All are added by POST /devices/apps.
export const ADDED_APPS = [...APP_KINDS, 'bark'] as const
export type AddedApp = (typeof ADDED_APPS)[number]
export const CHANNELS = ['apns', 'web_push', 'stream', 'http'] as const
export const RINGS = ['never', 'critical', 'alerts'] as const
export const BARK_ALGORITHMS = ['AES128', 'AES192', 'AES256'] as const
export const BARK_MODES = ['CBC', 'GCM'] as const
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

// What the owner of an app of another service chooses. Every app takes some of them.
export const DeviceOptions = Type.Object(
  {
    activities: Type.Optional(Type.Boolean({ description: 'Whether it shows live activities.' })),
    badge: Type.Optional(Type.Boolean({ description: 'Whether pushes set the number on the icon (Bark).' })),
    ring: Type.Optional(
      OneOf(
        RINGS,
        'Which alerts that wait to be acknowledged ring for half a minute (Bark): none, critical ones, all.',
      ),
    ),
    withdraw: Type.Optional(Type.Boolean({ description: 'Whether what was read elsewhere is removed (Bark).' })),
  },
  { ...closed, title: 'DeviceOptions' },
)
export type DeviceOptions = Static<typeof DeviceOptions>

const BarkEncryption = Type.Object(
  {
    algorithm: OneOf(BARK_ALGORITHMS),
    mode: OneOf(BARK_MODES),
    key: Type.String({ pattern: '^[!-~]{16}([!-~]{8}){0,2}$', description: '16, 24 or 32 ASCII characters' }),
  },
  { ...closed, title: 'BarkEncryption', description: 'As it is set in the Bark app.' },
)

const BARK_MEMBERS = {
  address: Type.Optional(
    Text(LIMITS.url.maxChars, {
      description: 'What the Bark app shows for another server, to push through that server.',
    }),
  ),
  encrypt: Type.Optional(
    Type.Union([Type.Boolean(), BarkEncryption], {
      description: 'Whether pushes are encrypted for the Bark app; true makes a key.',
    }),
  ),
}

export const DevicePatch = Type.Object(
  {
    name: Type.Optional(DeviceInput.properties.name),
    tags: DeviceInput.properties.tags,
    options: Type.Optional(DeviceOptions),
    ...BARK_MEMBERS,
  },
  { ...closed, title: 'DevicePatch', examples: [{ name: 'Old phone', tags: ['spare'] }] },
)
export type DevicePatch = Static<typeof DevicePatch>

const PendingPhone = Type.Object(
  { id: Type.String(), asked_at: Timestamp, from: Type.String({ description: 'The address it asked from.' }) },
  { title: 'PendingPhone', description: 'A phone that asks to take the place of this one; POST …/approve allows it.' },
)

export const ApproveInput = Type.Object(
  { pending_id: Type.String() },
  { ...closed, title: 'ApproveInput', examples: [{ pending_id: '4f8d0a52-8a36-4f0b-9c2a-0d1d6ad1b1f3' }] },
)
export type ApproveInput = Static<typeof ApproveInput>

export const DeviceView = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    platform: OneOf([...PLATFORMS, ...ADDED_APPS]),
    channel: OneOf(CHANNELS, 'The channel of its notifications; `stream` when it has no push address.'),
    tags: Type.Array(Type.String()),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    last_push_at: Type.Optional(Timestamp),
    last_push_error: Type.Optional(Type.String()),
    options: Type.Optional(DeviceOptions),
    host: Type.Optional(Type.String({ description: 'The server of another operator that pushes pass through.' })),
    connected: Type.Optional(
      Type.Boolean({
        description: 'Of the Bark app: false until it has registered, and after its address has failed.',
      }),
    ),
    pending: Type.Optional(PendingPhone),
  },
  { title: 'Device' },
)
export type DeviceView = Static<typeof DeviceView>

export const ChangedDeviceView = Type.Object(
  {
    ...DeviceView.properties,
    encryption_key: Type.Optional(
      Type.String({ description: 'For the Bark app, if one was made: AES256, GCM. No later response repeats it.' }),
    ),
  },
  { title: 'ChangedDevice' },
)

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

export const PushEndpointParams = Type.Object({
  device_id: DeviceId,
  endpoint_id: Type.String({ description: 'The id of the endpoint.' }),
})

export const PushEndpointView = Type.Object(
  {
    id: Type.String(),
    prefix: Type.String({ description: 'The beginning of its name; the rest is a secret.' }),
    created_at: Timestamp,
    last_message_at: Type.Optional(Timestamp),
    messages_today: Type.Integer(),
    sender: Type.Optional(
      Type.Object(
        { fingerprint: Type.String(), subject: Type.Optional(Type.String()) },
        { title: 'PushSender', description: 'Who signed the last message (VAPID).' },
      ),
    ),
    pinned: Type.Boolean({ description: 'It takes messages of this sender only.' }),
  },
  { title: 'PushEndpoint' },
)
export type PushEndpointView = Static<typeof PushEndpointView>

export const PushEndpointPatch = Type.Object(
  { pinned: Type.Boolean() },
  { ...closed, title: 'PushEndpointPatch', examples: [{ pinned: true }] },
)

export const AppDeviceInput = Type.Object(
  {
    kind: OneOf(ADDED_APPS, 'The service whose app it is.'),
    name: DeviceInput.properties.name,
    ...BARK_MEMBERS,
  },
  { ...closed, title: 'AppDeviceInput', examples: [{ kind: 'ntfy', name: 'Pixel' }] },
)
export type AppDeviceInput = Static<typeof AppDeviceInput>

export const AppDeviceView = Type.Object(
  {
    device: DeviceView,
    server_url: Type.Optional(Type.String({ description: 'The address of the server, to be typed into the app.' })),
    user: Type.Optional(
      Type.String({ description: 'The user name for the app, for ntfy and Gotify. This server accepts any.' }),
    ),
    password: Type.Optional(
      Type.String({
        description: 'The secret of this device alone, for ntfy and Gotify. No later response repeats it.',
      }),
    ),
    topic: Type.Optional(Type.String({ description: 'The topic with every notification, for ntfy.' })),
    deep_link: Type.Optional(
      Type.String({
        description: 'Opened on the phone, it sets the app up, for ntfy and Bark. It contains the secret.',
      }),
    ),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Until when the Bark app may register with the address.' }),
    ),
    encryption_key: Type.Optional(
      Type.String({ description: 'For the Bark app: AES256, GCM. No later response repeats it.' }),
    ),
  },
  { title: 'AppDevice' },
)
export type AppDeviceView = Static<typeof AppDeviceView>

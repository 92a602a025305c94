// Devices as clients register and see them. What goes in as an address or a secret never comes out again.
import { type Static, Type } from 'typebox'
import { closed, NonBlankText, OneOf, Slug, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

export const PLATFORMS = ['ios', 'ipados', 'macos', 'watchos', 'web', 'android'] as const
export const CHANNELS = ['apns', 'web_push', 'stream'] as const
export const APNS_ENVIRONMENTS = ['production', 'sandbox'] as const

export const DeviceId = Type.String({
  pattern: `^[^\\p{C}\\p{Zl}\\p{Zp}/]{1,${LIMITS.deviceIdChars}}$`,
  description: `1 to ${LIMITS.deviceIdChars} printable characters without a slash`,
  examples: ['7F3C0A51-phone'],
})
export const DeviceParams = Type.Object({ device_id: DeviceId })
export const DeviceActivityParams = Type.Object({ device_id: DeviceId, slug: Slug })

// Apple asks not to assume a size or form of its tokens; this only keeps out what can be none.
function PrintableAscii(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: '^[!-~]*$', description: 'printable ASCII without spaces' })
}

const Apns = Type.Object(
  {
    device_token: PrintableAscii(LIMITS.pushTokenChars),
    environment: OneOf(APNS_ENVIRONMENTS),
    push_to_start_token: Type.Optional(PrintableAscii(LIMITS.pushTokenChars)),
    widget_push_token: Type.Optional(PrintableAscii(LIMITS.pushTokenChars)),
  },
  closed,
)

// The two patterns are the base64url forms of an uncompressed point of the P-256 curve (65 bytes, the first of them 4)
// and of 16 bytes.
const WebPush = Type.Object(
  {
    endpoint: PrintableAscii(LIMITS.urlChars),
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
  closed,
)

// Describes the device whole: what a later registration leaves out is gone.
export const DeviceInput = Type.Object(
  {
    name: Text(LIMITS.deviceNameChars, { minLength: 1 }),
    platform: OneOf(PLATFORMS),
    tags: Type.Optional(Type.Array(NonBlankText(LIMITS.deviceTagChars), { maxItems: LIMITS.deviceTags })),
    apns: Type.Optional(Apns),
    web_push: Type.Optional(WebPush),
  },
  { ...closed, description: 'With neither apns nor web_push, the device only listens to the event stream.' },
)
export type DeviceInput = Static<typeof DeviceInput>

// What people call it; its addresses stay as they are.
export const DevicePatch = Type.Object(
  { name: Type.Optional(DeviceInput.properties.name), tags: DeviceInput.properties.tags },
  closed,
)
export type DevicePatch = Static<typeof DevicePatch>

export const DeviceView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  platform: OneOf(PLATFORMS),
  channel: OneOf(CHANNELS, 'Where its notifications go; `stream` when it has no push token.'),
  tags: Type.Array(Type.String()),
  created_at: Timestamp,
  last_seen_at: Timestamp,
  last_push_at: Type.Optional(Timestamp),
  last_push_error: Type.Optional(Type.String()),
})
export type DeviceView = Static<typeof DeviceView>

export const ActivityTokenInput = Type.Object(
  { push_update_token: PrintableAscii(LIMITS.pushUpdateTokenChars) },
  closed,
)
export type ActivityTokenInput = Static<typeof ActivityTokenInput>

export const WidgetToken = Type.Object({
  token: Type.String({ description: 'The secret. Shown now and never again.', examples: ['hlw_…'] }),
})

export const WebPushKey = Type.Object({
  public_key: Type.String({ description: 'For browsers, as applicationServerKey.' }),
})

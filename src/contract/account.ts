// Accounts: signing in, tokens, and what an account has used.
import { type Static, Type } from 'typebox'
import { DeviceId } from './device.ts'
import { closed, Nullable, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'
import { Permissions } from './permissions.ts'

export const SignInLink = Type.Object({ code: Type.String({ minLength: 1, maxLength: 128 }) }, closed)
export type SignInLink = Static<typeof SignInLink>

export const AppleSignIn = Type.Object(
  {
    identity_token: Type.String({
      minLength: 1,
      maxLength: LIMITS.identityTokenChars,
      description: 'The identity token that the device got from Apple.',
    }),
    device_id: DeviceId,
  },
  closed,
)
export type AppleSignIn = Static<typeof AppleSignIn>

export const SignedIn = Type.Object({ token: Type.String(), user_id: Type.String() })
export const SessionView = Type.Object({ user_id: Type.String() })
export const NewToken = Type.Object({ token: Type.String() })

export const AccountPatch = Type.Object({ nickname: Type.Optional(Nullable(Text(LIMITS.nicknameChars))) }, closed)
export type AccountPatch = Static<typeof AccountPatch>

const count = Type.Integer()

export const AccountView = Type.Object({
  id: Type.String(),
  nickname: Nullable(Type.String()),
  activity_count: count,
  subscribed: Type.Boolean({ description: 'The account is on the paid plan.' }),
  quota_period_month: Type.Integer({ description: 'YYYYMM', examples: [202611] }),
  notifications_used: Type.Integer({ description: 'This month on the free plan, today on the paid plan.' }),
  notifications_limit: Type.Optional(count),
  notifications_used_month: Type.Optional(count),
  live_activity_updates_used: count,
  live_activity_updates_limit: Type.Optional(count),
  widget_updates_used: count,
  widget_updates_limit: Type.Optional(count),
  emails_used: count,
  emails_limit: Type.Optional(count),
  quota_resets_at: Timestamp,
  quota_resets_day_at: Type.Optional(Timestamp),
  integration_key: Type.Optional(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      is_default: Type.Boolean(),
      permissions: Permissions,
      activity_slugs: Type.Optional(Type.Array(Type.String())),
      widget_slugs: Type.Optional(Type.Array(Type.String())),
      expires_at: Type.Optional(Timestamp),
    }),
  ),
})
export type AccountView = Static<typeof AccountView>

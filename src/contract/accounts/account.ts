// Accounts: signing in, tokens, and the use of the quotas.
import { type Static, Type } from 'typebox'
import { closed, DeviceId, Nullable, Text, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { KeyTarget } from '../organizations/target.ts'
import { Permissions } from '../permissions.ts'
import { CAP_NAMES, CAPS, type CapName } from '../plans.ts'

export const SignInLink = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'The one-time code that `heliograph signin` prints.',
    }),
  },
  { ...closed, title: 'SignInCode', examples: [{ code: 'CODE' }] },
)
export type SignInLink = Static<typeof SignInLink>

export const AppleSignIn = Type.Object(
  {
    identity_token: Type.String({
      minLength: 1,
      maxLength: LIMITS.account.maxIdentityTokenChars,
      description: 'The identity token that Apple issued to the device, a JWT.',
    }),
    device_id: DeviceId,
  },
  { ...closed, title: 'AppleSignIn', examples: [{ identity_token: 'JWT', device_id: '7F3C0A51-phone' }] },
)
export type AppleSignIn = Static<typeof AppleSignIn>

const FullAccessToken = Type.String({ description: 'A full-access token. The server stores only its hash.' })

export const SignedIn = Type.Object({ token: FullAccessToken, user_id: Type.String() }, { title: 'SignedIn' })
export const SessionView = Type.Object(
  {
    user_id: Type.String(),
    used_kept_link: Type.Optional(
      Type.Boolean({ description: 'true: it was the link that the person kept, and they need a new one.' }),
    ),
  },
  { title: 'Session' },
)
export type SessionView = Static<typeof SessionView>
export const NewToken = Type.Object({ token: FullAccessToken }, { title: 'NewToken' })

export const AccountPatch = Type.Object(
  {
    nickname: Type.Optional(Nullable(Text(LIMITS.account.maxNicknameChars, { description: 'null or "" removes it.' }))),
  },
  { ...closed, title: 'AccountPatch', examples: [{ nickname: 'Ada' }] },
)
export type AccountPatch = Static<typeof AccountPatch>

const count = Type.Integer()
const limit = Type.Optional(Type.Integer({ description: 'Absent: the plan has no limit.' }))

const CurrentKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    is_default: Type.Boolean(),
    permissions: Permissions,
    activity_slugs: Type.Optional(Type.Array(Type.String())),
    widget_slugs: Type.Optional(Type.Array(Type.String())),
    target: Type.Optional(KeyTarget),
    expires_at: Type.Optional(Timestamp),
  },
  { title: 'CurrentKey', description: 'The integration key that made this request.' },
)

const Caps = Type.Object(
  Object.fromEntries(CAP_NAMES.map((name) => [name, Type.Integer({ description: CAPS[name].meaning })])) as Record<
    CapName,
    typeof count
  >,
  { title: 'Caps', description: 'How many of each the account can have at a time.' },
)

export const Plan = Type.String({
  description: '`free`, `paid`, or a plan that the operator has named.',
  examples: ['paid'],
})

// The members that say what an account has used of its quotas.
export const USAGE = {
  quota_period_month: Type.Integer({ description: 'YYYYMM', examples: [202611] }),
  notifications_used: Type.Integer({
    description: 'Today if the plan limits them by the day, which `paid` does by default; else this month.',
  }),
  notifications_limit: limit,
  notifications_used_month: Type.Optional(Type.Integer({ description: 'If the plan limits them by the day.' })),
  live_activity_updates_used: count,
  live_activity_updates_limit: limit,
  widget_updates_used: count,
  widget_updates_limit: limit,
  emails_used: count,
  emails_limit: limit,
  quota_resets_at: Timestamp,
  quota_resets_day_at: Type.Optional(Timestamp),
}

export const OrganizationName = Type.Object(
  { id: Type.String(), name: Type.String() },
  { title: 'OrganizationName', description: 'An organization, such as the one that a key belongs to.' },
)

export const AccountView = Type.Object(
  {
    id: Type.String(),
    nickname: Nullable(Type.String()),
    activity_count: count,
    subscribed: Type.Boolean({
      description: 'The plan is a paid one: `paid`, or one of the operator whose name does not begin with `free-`.',
    }),
    plan: Plan,
    caps: Caps,
    ...USAGE,
    integration_key: Type.Optional(CurrentKey),
    organization: Type.Optional(OrganizationName),
    operator: Type.Optional(Type.Boolean({ description: 'true: the person runs this server. Absent otherwise.' })),
  },
  { title: 'Account' },
)
export type AccountView = Static<typeof AccountView>

// Ways in besides a link from the server and a passkey: an invitation that makes the account, the approval of another device,
// and a link by e-mail.
import { type Static, Type } from 'typebox'
import { STARTS } from '../doctor.ts'
import { closed, NonBlankText, OneOf, Text, Timestamp } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { JoinInput } from '../shares.ts'

export const INVITATION_KINDS = ['organization', 'share'] as const

export const SignInWays = Type.Object(
  {
    email: Type.Boolean({ description: 'Whether this server can send a sign-in link by e-mail.' }),
    started_as: OneOf(STARTS, 'How the server was started, for the command that prints a sign-in link'),
  },
  { title: 'SignInWays' },
)
export type SignInWays = Static<typeof SignInWays>

export const InvitationOffer = Type.Object(
  {
    kind: OneOf(INVITATION_KINDS),
    role: Type.String({ description: 'The role of the people who join by it.' }),
    org_name: Type.Optional(Type.String({ description: 'Of an organization.' })),
    owner_nickname: Type.Optional(Type.String({ description: 'Of a share: who shares.' })),
    slug: Type.Optional(Type.String({ description: 'Of a share of one activity.' })),
    slug_pattern: Type.Optional(Type.String({ description: 'Of a share of all activities of a pattern.' })),
    makes_account: Type.Boolean({
      description: 'Whether a person without an account gets one. If not, they need one first.',
    }),
  },
  { title: 'InvitationOffer' },
)
export type InvitationOffer = Static<typeof InvitationOffer>

export const InvitedAccountInput = Type.Object(
  {
    ...JoinInput.properties,
    name: NonBlankText(LIMITS.account.maxNicknameChars),
  },
  {
    ...closed,
    title: 'InvitedAccountInput',
    description: '`name` is how others see the person.',
    examples: [{ code: 'K7QW-2MXD', name: 'Ada' }],
  },
)
export type InvitedAccountInput = Static<typeof InvitedAccountInput>

export const InvitedAccount = Type.Object(
  {
    user_id: Type.String(),
    org_id: Type.Optional(Type.String({ description: 'The organization that was joined.' })),
    activity_id: Type.Optional(Type.String({ description: 'The activity that is shared, unless it is a pattern.' })),
  },
  { title: 'InvitedAccount' },
)
export type InvitedAccount = Static<typeof InvitedAccount>

const RequestCode = Type.String({
  description: 'What both screens show. Read without regard to case, spaces and hyphens.',
  examples: ['K7QW2M'],
})

export const NewSignInRequest = Type.Object(
  {
    id: Type.String(),
    code: RequestCode,
    secret: Type.String({ description: 'Fetches the session. Only the browser that asks has it.' }),
    expires_at: Timestamp,
  },
  { title: 'NewSignInRequest' },
)
export type NewSignInRequest = Static<typeof NewSignInRequest>

export const SignInRequestParams = Type.Object({ request_id: Type.String({ description: 'The id of the request.' }) })

export const SignInRequestSecret = Type.Object(
  { secret: Type.String({ minLength: 1, maxLength: 128 }) },
  { ...closed, title: 'SignInRequestSecret', examples: [{ secret: 'SECRET' }] },
)

export const SignInRequestState = Type.Object(
  {
    state: OneOf(['waiting', 'signed_in'], 'signed_in: the response sets the cookie of the session'),
    user_id: Type.Optional(Type.String()),
  },
  { title: 'SignInRequestState' },
)
export type SignInRequestState = Static<typeof SignInRequestState>

export const SignInRequestCode = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: LIMITS.share.maxCodeChars }) },
  { ...closed, title: 'SignInRequestCode', examples: [{ code: 'K7Q-W2M' }] },
)

export const SignInRequestView = Type.Object(
  {
    id: Type.String(),
    code: RequestCode,
    browser: Type.Optional(Type.String({ description: 'What the browser calls itself.' })),
    address: Type.String({ description: 'From where it asked.' }),
    same_network: Type.Boolean({ description: 'It asked from the address that this request comes from.' }),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'SignInRequest' },
)
export type SignInRequestView = Static<typeof SignInRequestView>

export const EmailSignIn = Type.Object(
  {
    address: Text(LIMITS.email.addressChars.max, { minLength: LIMITS.email.addressChars.min }),
  },
  { ...closed, title: 'EmailSignIn', examples: [{ address: 'ada@example.org' }] },
)

// Ways in over HTTP for people who are signed in nowhere on this device: by an invitation, by the approval of another device,
// and by e-mail.
import {
  EmailSignIn,
  InvitationOffer,
  InvitedAccount,
  InvitedAccountInput,
  NewSignInRequest,
  SignInRequestCode,
  SignInRequestParams,
  SignInRequestSecret,
  SignInRequestState,
  SignInRequestView,
  SignInWays,
} from '../../../contract/accounts/ways-in.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { JoinInput } from '../../../contract/shares.ts'
import { toRfc3339 } from '../../../domain/instant.ts'
import { acceptOffer, readOffer } from '../../../operations/accounts/invited.ts'
import { requestSignInMail } from '../../../operations/accounts/mailed-links.ts'
import {
  approveSignInRequest,
  fetchSession,
  findSignInRequest,
  refuseSignInRequest,
  requestSignIn,
} from '../../../operations/accounts/sign-in-requests.ts'
import type { Context } from '../../../operations/context.ts'
import { isMailEnabled } from '../../../operations/emails/emails.ts'
import { startedAs } from '../../../runtime/machine.ts'
import { invitedAccountView, offerView, signInRequestView } from '../../../views/accounts.ts'
import { clientAddress } from '../../connections/client-address.ts'
import { route, table } from '../../route.ts'
import { ConsoleHeaders, requireOwnPage, setSession } from '../../session-cookie.ts'
import { signInRate } from './accounts.ts'

// A stranger who guesses codes is stopped sooner than a person with an account.
const codeLimit = {
  name: 'strangers-codes',
  perMinute: LIMITS.rate.strangersRefusedCodesPerMinute,
  problem: 'invitation.invalid',
} as const

const offerProblems = [
  'invitation.invalid',
  'invitation.limit_exceeded',
  'org.limit_exceeded',
  'share.limit_exceeded',
  'subscription.required',
  'permission.editor_requires_paid_recipient',
  'permission.free_recipient_limit_exceeded',
] as const

// Otherwise another site could sign the browser in to an account of the attacker (login CSRF).
const ofConsole = {
  access: 'public',
  headers: ConsoleHeaders,
  onRequest: async (request: Parameters<typeof requireOwnPage>[0]) => requireOwnPage(request),
} as const

export const wayInRoutes = (ctx: Context) =>
  table({ tag: 'Account', access: 'user' }, [
    route('GET /auth/ways', {
      id: 'getSignInWays',
      summary: 'Read how people can sign in here',
      access: 'public',
      ok: SignInWays,
      handle: async () => ({ email: isMailEnabled(ctx), started_as: startedAs() }),
    }),

    route('POST /auth/invitation', {
      id: 'readInvitation',
      summary: 'See what an invitation or a share code is for, without an account',
      access: 'public',
      rateLimit: { ...signInRate, name: 'invitations' },
      refusalLimit: codeLimit,
      body: JoinInput,
      ok: InvitationOffer,
      problems: offerProblems,
      handle: async ({ body, request }) => {
        const stranger = { address: clientAddress(request), userAgent: request.headers['user-agent'] }
        return offerView(await readOffer(ctx, body.code, stranger))
      },
    }),

    route('POST /auth/session/invitation', {
      ...ofConsole,
      id: 'acceptInvitation',
      summary: 'Make an account by an invitation, join, and sign in to the console',
      description: `For the console’s own pages: the response sets the token as an HttpOnly cookie. The account has the plan of HELIOGRAPH_DEFAULT_PLAN. The operator chooses whose invitations make accounts, and how many for each person (HELIOGRAPH_INVITED_ACCOUNTS, HELIOGRAPH_MAX_INVITED_ACCOUNTS); ${LIMITS.account.maxInvitedPerAddressAndDay} a day are made for people at one address.`,
      rateLimit: signInRate,
      refusalLimit: codeLimit,
      body: InvitedAccountInput,
      created: InvitedAccount,
      problems: [...offerProblems, 'invitation.account_required', 'session.foreign_request'],
      handle: async ({ body, request, reply }) => {
        const stranger = { address: clientAddress(request), userAgent: request.headers['user-agent'] }
        const accepted = await acceptOffer(ctx, body, stranger)
        setSession(reply, ctx.config, accepted.token)
        return invitedAccountView(accepted)
      },
    }),

    route('POST /auth/session/requests', {
      ...ofConsole,
      id: 'requestSignIn',
      summary: 'Ask to be signed in by another device of the person',
      description: `The page shows the code; the person types it where they are signed in. It is valid for ${LIMITS.signInRequest.seconds / 60} minutes.`,
      rateLimit: { ...signInRate, name: 'sign-in-requests' },
      created: NewSignInRequest,
      problems: ['session.foreign_request'],
      handle: async ({ request }) => {
        const origin = { address: clientAddress(request), userAgent: request.headers['user-agent'] }
        const { request: made, secret } = await requestSignIn(ctx, origin)
        return { id: made.id, code: made.code, secret, expires_at: toRfc3339(made.expiresAt) }
      },
    }),

    route('POST /auth/session/requests/:request_id', {
      ...ofConsole,
      id: 'fetchRequestedSession',
      summary: 'Ask whether the person has approved, and sign in if so',
      description: `For the console’s own pages: the response to an approved request sets the token as an HttpOnly cookie. It is fetched once, within ${LIMITS.signInRequest.approvedSeconds} seconds of the approval.`,
      rateLimit: { name: 'sign-in-claims', perMinute: LIMITS.rate.signInClaimsPerMinute },
      params: SignInRequestParams,
      body: SignInRequestSecret,
      ok: SignInRequestState,
      problems: ['sign_in_request.ended', 'session.foreign_request'],
      handle: async ({ params, body, reply }) => {
        const session = await fetchSession(ctx, params.request_id, body.secret)
        if (!session) return { state: 'waiting' as const }
        setSession(reply, ctx.config, session.token)
        return { state: 'signed_in' as const, user_id: session.userId }
      },
    }),

    route('POST /auth/requests/find', {
      id: 'findSignInRequest',
      summary: 'Find the browser that waits with a code: what it is, and from where it asks',
      refusalLimit: {
        name: 'sign-in-codes',
        perMinute: LIMITS.rate.strangersRefusedCodesPerMinute,
        problem: 'sign_in_request.not_found',
      },
      body: SignInRequestCode,
      ok: SignInRequestView,
      problems: ['sign_in_request.not_found'],
      handle: async ({ caller, body, request }) =>
        signInRequestView(await findSignInRequest(ctx, caller, body.code), clientAddress(request)),
    }),

    route('POST /auth/requests/:request_id/approve', {
      id: 'approveSignInRequest',
      summary: 'Approve it: that browser is signed in to this account',
      audited: true,
      params: SignInRequestParams,
      problems: ['sign_in_request.not_found', 'path.too_long'],
      handle: ({ caller, params }) => approveSignInRequest(ctx, caller, params.request_id),
    }),

    route('DELETE /auth/requests/:request_id', {
      id: 'refuseSignInRequest',
      summary: 'Refuse it: nobody can approve it any more',
      params: SignInRequestParams,
      problems: ['sign_in_request.not_found', 'path.too_long'],
      handle: ({ caller, params }) => refuseSignInRequest(ctx, caller, params.request_id),
    }),

    route('POST /auth/links/email', {
      id: 'mailSignInLink',
      summary: 'Ask for a sign-in link by e-mail',
      description: `Sent to an address that an account has confirmed and chosen for it (\`PATCH /emails/recipients/{recipient_id}\`), at most ${LIMITS.account.maxSignInMailsPerDay} times a day. The answer is the same if there is none.`,
      access: 'public',
      rateLimit: { name: 'sign-in-mails', perMinute: LIMITS.rate.signInMailsPerMinute },
      body: EmailSignIn,
      problems: ['email.invalid', 'email.not_enabled'],
      handle: ({ body }) => requestSignInMail(ctx, body.address),
    }),
  ])

// Passkeys over HTTP: registering them, and signing in to the console with one.
import { SessionView } from '../../../contract/accounts/account.ts'
import {
  PasskeyInput,
  PasskeyParams,
  PasskeyRegistrationOptions,
  PasskeySignIn,
  PasskeySignInOptions,
  PasskeyView,
} from '../../../contract/accounts/passkey.ts'
import { List } from '../../../contract/fields.ts'
import { LIMITS } from '../../../contract/limits.ts'
import {
  offerRegistration,
  offerSignIn,
  readPasskeys,
  registerPasskey,
  removePasskey,
  signInByPasskey,
} from '../../../operations/accounts/passkeys.ts'
import type { Context } from '../../../operations/context.ts'
import { passkeyView, registrationOptionsView, signInOptionsView } from '../../../views/accounts.ts'
import { route, table } from '../../route.ts'
import { ConsoleHeaders, requireOwnPage, setSession } from '../../session-cookie.ts'
import { signInRate } from './accounts.ts'

export const passkeyRoutes = (ctx: Context) =>
  table({ tag: 'Account', access: 'user' }, [
    route('GET /auth/passkeys', {
      id: 'listPasskeys',
      summary: 'List the passkeys of the account, the oldest first',
      ok: List(PasskeyView),
      handle: async ({ caller }) => ({ items: (await readPasskeys(ctx, caller)).map(passkeyView) }),
    }),

    route('POST /auth/passkeys/options', {
      id: 'offerPasskey',
      summary: 'Begin to register a passkey: what the browser needs',
      description: `The challenge works once and for ${LIMITS.passkey.challengeSeconds / 60} minutes.`,
      ok: PasskeyRegistrationOptions,
      problems: ['passkey.origin_invalid'],
      handle: async ({ caller, publicUrl }) => registrationOptionsView(await offerRegistration(ctx, caller, publicUrl)),
    }),

    route('POST /auth/passkeys', {
      id: 'registerPasskey',
      summary: 'Register a passkey',
      audited: true,
      body: PasskeyInput,
      created: PasskeyView,
      problems: ['passkey.registration_invalid', 'passkey.limit_exceeded', 'passkey.origin_invalid'],
      handle: async ({ caller, body, publicUrl }) => passkeyView(await registerPasskey(ctx, caller, publicUrl, body)),
    }),

    route('DELETE /auth/passkeys/:passkey_id', {
      id: 'removePasskey',
      summary: 'Remove a passkey: nobody can sign in with it any more',
      description: 'Sessions that it began stay valid.',
      audited: true,
      params: PasskeyParams,
      problems: ['passkey.not_found', 'path.too_long'],
      handle: ({ caller, params }) => removePasskey(ctx, caller, params.passkey_id),
    }),

    route('POST /auth/session/passkey/options', {
      id: 'offerPasskeySignIn',
      summary: 'Begin to sign in with a passkey: what the browser needs',
      access: 'public',
      rateLimit: { ...signInRate, name: 'passkey-options' },
      ok: PasskeySignInOptions,
      problems: ['passkey.origin_invalid'],
      handle: async ({ publicUrl }) => signInOptionsView(offerSignIn(ctx, publicUrl)),
    }),

    route('POST /auth/session/passkey', {
      id: 'signInWithPasskey',
      summary: 'Sign in to the console with a passkey',
      description: 'For the console’s own pages: the response sets the token as an HttpOnly cookie.',
      access: 'public',
      rateLimit: signInRate,
      headers: ConsoleHeaders,
      body: PasskeySignIn,
      ok: SessionView,
      problems: ['passkey.invalid', 'passkey.origin_invalid', 'session.foreign_request'],
      // Otherwise another site could sign the browser in to an account of the attacker (login CSRF).
      onRequest: async (request) => requireOwnPage(request),
      handle: async ({ body, publicUrl, request, reply }) => {
        const agent = request.headers['user-agent']
        const { token, userId } = await signInByPasskey(ctx, publicUrl, body.credential, agent)
        setSession(reply, ctx.config, token)
        return { user_id: userId }
      },
    }),
  ])

// Accounts over HTTP: signing in and out, the account itself, its sessions and its passkeys. The console’s token is an HttpOnly
// cookie.

import {
  AccountPatch,
  AccountView,
  AppleSignIn,
  NewToken,
  SessionView,
  SignedIn,
  SignInLink,
} from '../../contract/accounts/account.ts'
import {
  PasskeyInput,
  PasskeyParams,
  PasskeyRegistrationOptions,
  PasskeySignIn,
  PasskeySignInOptions,
  PasskeyView,
} from '../../contract/accounts/passkey.ts'
import {
  EndedSessions,
  EndSessionsQuery,
  NewSignInLink,
  SessionList,
  SessionParams,
} from '../../contract/accounts/session.ts'
import { UsageQuery, UsageView } from '../../contract/accounts/usage.ts'
import { List } from '../../contract/fields.ts'
import { LIMITS } from '../../contract/limits.ts'
import { toRfc3339 } from '../../domain/instant.ts'
import { describeAccount, rotateToken, setNickname, signInByCode, signOut } from '../../operations/accounts/accounts.ts'
import { signInWithApple } from '../../operations/accounts/apple-sign-in.ts'
import {
  offerRegistration,
  offerSignIn,
  readPasskeys,
  registerPasskey,
  removePasskey,
  signInByPasskey,
} from '../../operations/accounts/passkeys.ts'
import { readUsage } from '../../operations/accounts/sent-by-day.ts'
import { createSignInLink, endSession, endSessions, readSessions } from '../../operations/accounts/sessions.ts'
import type { Context } from '../../operations/context.ts'
import {
  accountView,
  dailyUsageView,
  passkeyView,
  registrationOptionsView,
  sessionView,
  signInOptionsView,
} from '../../views/accounts.ts'
import { route, table } from '../route.ts'
import { ConsoleHeaders, clearSession, requireOwnPage, setSession } from '../session-cookie.ts'

const signInRate = { name: 'sign-in', perMinute: LIMITS.rate.signInsPerMinute }

export const accountRoutes = (ctx: Context) =>
  table({ tag: 'Account', access: 'user' }, [
    route('POST /auth/link', {
      id: 'signInByCode',
      summary: 'Sign in with a one-time code',
      access: 'public',
      rateLimit: signInRate,
      body: SignInLink,
      ok: SignedIn,
      problems: ['token.invalid'],
      handle: async ({ body, request }) => {
        const { token, userId } = await signInByCode(ctx, body.code, {
          isConsole: false,
          userAgent: request.headers['user-agent'],
        })
        return { token, user_id: userId }
      },
    }),

    route('POST /auth/apple', {
      id: 'signInWithApple',
      summary: 'Sign in with Apple',
      description:
        'The first sign-in creates the account and its default key. A device has one token: signing in again replaces it. An identity token with a nonce is accepted once.',
      access: 'public',
      rateLimit: signInRate,
      body: AppleSignIn,
      ok: SignedIn,
      problems: ['token.invalid', 'auth.not_enabled'],
      handle: async ({ body }) => {
        const { token, userId } = await signInWithApple(ctx, body)
        return { token, user_id: userId }
      },
    }),

    route('POST /auth/token/rotate', {
      id: 'rotateToken',
      summary: 'Replace the token of this request; the old one stops working at once',
      bearerOnly: true,
      ok: NewToken,
      handle: async ({ caller }) => ({ token: await rotateToken(ctx, caller) }),
    }),

    route('DELETE /auth/token', {
      id: 'signOut',
      summary: 'Sign out: revoke the token of this request',
      handle: ({ caller }) => signOut(ctx, caller),
    }),

    route('GET /auth/me', {
      id: 'getMe',
      summary: 'Read the account and the use of its quotas',
      access: 'any',
      ok: AccountView,
      handle: async ({ caller }) => accountView(await describeAccount(ctx, caller)),
    }),

    route('GET /auth/me/usage', {
      id: 'getUsage',
      summary: 'Read what was sent and refused, by day, source and key, and what the devices have taken',
      description: `Kept for ${LIMITS.dailyCounts.keptDays} days. A few seconds of counts may be missing after a crash; the quotas of \`GET /auth/me\` are exact.`,
      query: UsageQuery,
      ok: UsageView,
      handle: async ({ caller, query }) =>
        dailyUsageView(await readUsage(ctx, caller, query.days ?? LIMITS.dailyCounts.shownDays)),
    }),

    route('PATCH /auth/me', {
      id: 'updateMe',
      summary: 'Change the nickname',
      body: AccountPatch,
      ok: AccountView,
      handle: async ({ caller, body }) => accountView(await setNickname(ctx, caller, body.nickname || null)),
    }),
  ])

export const sessionRoutes = (ctx: Context) =>
  table({ tag: 'Account', access: 'user' }, [
    route('POST /auth/session', {
      id: 'signInToConsole',
      summary: 'Sign in to the console with a one-time code',
      description: 'For the console’s own pages: the response sets the token as an HttpOnly cookie.',
      access: 'public',
      rateLimit: signInRate,
      headers: ConsoleHeaders,
      body: SignInLink,
      ok: SessionView,
      problems: ['token.invalid', 'session.foreign_request'],
      // Otherwise another site could sign the browser in to the attacker's account and read what is typed there (login
      // CSRF).
      onRequest: async (request) => requireOwnPage(request),
      handle: async ({ body, request, reply }) => {
        const { token, userId } = await signInByCode(ctx, body.code, {
          isConsole: true,
          userAgent: request.headers['user-agent'],
        })
        setSession(reply, ctx.config, token)
        return { user_id: userId }
      },
    }),

    route('DELETE /auth/session', {
      id: 'signOutOfConsole',
      summary: 'Sign out of the console',
      handle: async ({ caller, reply }) => {
        await signOut(ctx, caller)
        clearSession(reply, ctx.config)
      },
    }),

    route('POST /auth/links', {
      id: 'createSignInLink',
      summary: 'Make a one-time link that signs in to this account on another device',
      created: NewSignInLink,
      handle: async ({ caller, publicUrl }) => {
        const { url, expiresAt } = await createSignInLink(ctx, caller, publicUrl)
        return { url, expires_at: toRfc3339(expiresAt) }
      },
    }),

    route('GET /auth/sessions', {
      id: 'listSessions',
      summary: 'List where the person is signed in, the last used first',
      ok: SessionList,
      handle: async ({ caller }) => ({
        items: (await readSessions(ctx, caller)).map((session) => sessionView(session, caller)),
      }),
    }),

    route('DELETE /auth/sessions', {
      id: 'endSessions',
      summary: 'Sign out everywhere else, or everywhere',
      description: 'Integration keys and tokens of widget extensions are not sessions and stay valid.',
      audited: true,
      query: EndSessionsQuery,
      ok: EndedSessions,
      handle: async ({ caller, query, reply }) => {
        const ended = await endSessions(ctx, caller, query)
        if (query.current) clearSession(reply, ctx.config)
        return { ended }
      },
    }),

    route('DELETE /auth/sessions/:session_id', {
      id: 'endSession',
      summary: 'End a session: its token stops working at once',
      audited: true,
      params: SessionParams,
      problems: ['session.not_found', 'path.too_long'],
      handle: ({ caller, params }) => endSession(ctx, caller, params.session_id),
    }),
  ])

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

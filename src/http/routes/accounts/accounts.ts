// Accounts over HTTP: signing in and out, the account itself, and its sessions. The console’s token is an HttpOnly cookie.

import {
  AccountPatch,
  AccountView,
  AppleSignIn,
  NewToken,
  SessionView,
  SignedIn,
  SignInLink,
} from '../../../contract/accounts/account.ts'
import {
  EndedSessions,
  EndSessionsQuery,
  KeptSignInLink,
  NewSignInLink,
  SessionList,
  SessionParams,
} from '../../../contract/accounts/session.ts'
import { UsageQuery, UsageView } from '../../../contract/accounts/usage.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { toRfc3339 } from '../../../domain/instant.ts'
import {
  describeAccount,
  rotateToken,
  setNickname,
  signInByCode,
  signOut,
} from '../../../operations/accounts/accounts.ts'
import { signInWithApple } from '../../../operations/accounts/apple-sign-in.ts'
import { readUsage } from '../../../operations/accounts/sent-by-day.ts'
import {
  createKeptLink,
  createSignInLink,
  endSession,
  endSessions,
  readSessions,
  removeKeptLink,
} from '../../../operations/accounts/sessions.ts'
import type { Context } from '../../../operations/context.ts'
import { accountView, dailyUsageView, sessionView } from '../../../views/accounts.ts'
import { route, table } from '../../route.ts'
import { ConsoleHeaders, clearSession, requireOwnPage, setSession } from '../../session-cookie.ts'

export const signInRate = { name: 'sign-in', perMinute: LIMITS.rate.signInsPerMinute }

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
        const { token, userId, hasUsedKeptLink } = await signInByCode(ctx, body.code, {
          isConsole: true,
          userAgent: request.headers['user-agent'],
        })
        setSession(reply, ctx.config, token)
        return { user_id: userId, ...(hasUsedKeptLink && { used_kept_link: true }) }
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

    route('POST /auth/links/kept', {
      id: 'createKeptLink',
      summary: 'Make a link to keep: it signs in once, at any time',
      description:
        'For people whose browser offers no passkeys. An account has one: a new one replaces it. Signing out everywhere removes it.',
      audited: true,
      created: KeptSignInLink,
      handle: async ({ caller, publicUrl }) => ({ url: await createKeptLink(ctx, caller, publicUrl) }),
    }),

    route('DELETE /auth/links/kept', {
      id: 'removeKeptLink',
      summary: 'Remove the link to keep: it does not sign in any more',
      audited: true,
      handle: ({ caller }) => removeKeptLink(ctx, caller),
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
      description:
        'Integration keys and tokens of widget extensions are not sessions and stay valid. Sign-in links that are open, and the link to keep, stop working.',
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

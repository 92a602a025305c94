// Signing in to and out of the console, whose token is an HttpOnly cookie; and the sessions of the account.
import { SessionView, SignInLink } from '../../../contract/accounts/account.ts'
import {
  EndedSessions,
  EndSessionsQuery,
  NewSignInLink,
  SessionList,
  SessionParams,
} from '../../../contract/accounts/session.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { toRfc3339 } from '../../../domain/instant.ts'
import { signInByCode, signOut } from '../../../operations/accounts/accounts.ts'
import { createSignInLink, endSession, endSessions, readSessions } from '../../../operations/accounts/sessions.ts'
import type { Context } from '../../../operations/context.ts'
import { sessionView } from '../../../views/accounts.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { ConsoleHeaders, clearSession, requireOwnPage, setSession } from '../../session-cookie.ts'

const tags = ['Account']

export function sessionRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/auth/session',
    {
      schema: {
        tags,
        operationId: 'signInToConsole',
        summary: 'Sign in to the console with a one-time code',
        description: 'For the console’s own pages: the response sets the token as an HttpOnly cookie.',
        requestHeaders: ConsoleHeaders,
        body: SignInLink,
        response: { 200: SessionView },
      },
      config: {
        access: 'public',
        rateLimit: { name: 'sign-in', perMinute: LIMITS.rate.signInsPerMinute },
        problems: ['token.invalid', 'session.foreign_request'],
      },
      // Otherwise another site could sign the browser in to the attacker's account and read what is typed there (login
      // CSRF).
      onRequest: async (request) => requireOwnPage(request),
    },
    async (request, reply) => {
      const { token, userId } = await signInByCode(ctx, request.body.code, {
        isConsole: true,
        userAgent: request.headers['user-agent'],
      })
      setSession(reply, ctx.config, token)
      return { user_id: userId }
    },
  )

  app.delete(
    '/auth/session',
    {
      schema: { tags, operationId: 'signOutOfConsole', summary: 'Sign out of the console', response: { 204: {} } },
      config: { access: 'user' },
    },
    async (request, reply) => {
      await signOut(ctx, callerOf(request))
      clearSession(reply, ctx.config)
      return reply.code(204).send()
    },
  )

  app.post(
    '/auth/links',
    {
      schema: {
        tags,
        operationId: 'createSignInLink',
        summary: 'Make a one-time link that signs in to this account on another device',
        response: { 201: NewSignInLink },
      },
      config: { access: 'user' },
    },
    async (request, reply) => {
      const { url, expiresAt } = await createSignInLink(ctx, callerOf(request), publicUrlFor(ctx, request))
      return reply.code(201).send({ url, expires_at: toRfc3339(expiresAt) })
    },
  )

  app.get(
    '/auth/sessions',
    {
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List where the person is signed in, the last used first',
        response: { 200: SessionList },
      },
      config: { access: 'user' },
    },
    async (request) => {
      const caller = callerOf(request)
      const sessions = await readSessions(ctx, caller)
      return { items: sessions.map((session) => sessionView(session, caller)) }
    },
  )

  app.delete(
    '/auth/sessions',
    {
      schema: {
        tags,
        operationId: 'endSessions',
        summary: 'Sign out everywhere else, or everywhere',
        description: 'Integration keys and tokens of widget extensions are not sessions and stay valid.',
        querystring: EndSessionsQuery,
        response: { 200: EndedSessions },
      },
      config: { access: 'user' },
    },
    async (request, reply) => {
      const { current } = request.query
      const ended = await endSessions(ctx, callerOf(request), { current })
      if (current) clearSession(reply, ctx.config)
      return { ended }
    },
  )

  app.delete(
    '/auth/sessions/:session_id',
    {
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End a session: its token stops working at once',
        params: SessionParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['session.not_found', 'path.too_long'] },
    },
    async (request, reply) => {
      await endSession(ctx, callerOf(request), request.params.session_id)
      return reply.code(204).send()
    },
  )
}

// Signing in to and out of the console: the token is set as an HttpOnly cookie.
import { SessionView, SignInLink } from '../../contract/account.ts'
import { LIMITS } from '../../contract/limits.ts'
import { signInByCode, signOut } from '../../operations/accounts/accounts.ts'
import type { Context } from '../../operations/context.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { clearSession, requireOwnPage, setSession } from '../session-cookie.ts'

const tags = ['Account']

export function sessionRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/auth/session',
    {
      schema: {
        tags,
        summary: 'Sign in to the console with a one-time code',
        description:
          'For the console’s own pages: the token is set as an HttpOnly cookie. Needs the header `X-Heliograph-Console: 1`.',
        body: SignInLink,
        response: { 200: SessionView },
      },
      config: {
        access: 'public',
        rateLimit: { name: 'sign-in', perMinute: LIMITS.signInsPerMinute },
        problems: ['token.invalid', 'session.foreign_request'],
      },
      // Otherwise another site could sign the browser in to the attacker's account and read what is typed there (login
      // CSRF).
      onRequest: async (request) => requireOwnPage(request),
    },
    async (request, reply) => {
      const { token, userId } = await signInByCode(ctx, request.body.code)
      setSession(reply, ctx.config, token)
      return { user_id: userId }
    },
  )

  app.delete(
    '/auth/session',
    {
      schema: { tags, summary: 'Sign out of the console', response: { 204: {} } },
      config: { access: 'user' },
    },
    async (request, reply) => {
      await signOut(ctx, callerOf(request))
      clearSession(reply, ctx.config)
      return reply.code(204).send()
    },
  )
}

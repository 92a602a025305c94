// Signing in to and out of the console: the token is set as an HttpOnly cookie.
import { Type } from 'typebox'
import { SessionView, SignInLink } from '../../contract/account.ts'
import { LIMITS } from '../../contract/limits.ts'
import { signInByCode, signOut } from '../../operations/accounts/accounts.ts'
import type { Context } from '../../operations/context.ts'
import { callerOf } from '../caller.ts'
import type { HttpServer } from '../fastify-types.ts'
import { clearSession, requireOwnPage, setSession } from '../session-cookie.ts'

const tags = ['Account']
const ConsoleHeaders = Type.Object({
  'X-Heliograph-Console': Type.Literal('1', { description: 'Proves that the request comes from the console’s pages.' }),
})

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
      const { token, userId } = await signInByCode(ctx, request.body.code)
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
}

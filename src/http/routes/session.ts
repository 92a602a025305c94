// The console's way in and out: as signing in elsewhere, but the token goes into a cookie that no script reads.
import { Type } from 'typebox'
import { SessionView, SignInLink } from '../../contract/account.ts'
import { LIMITS } from '../../contract/limits.ts'
import { signInByCode, signOut } from '../../operations/accounts/accounts.ts'
import type { Context } from '../../operations/context.ts'
import type { HttpServer } from '../fastify-types.ts'
import { callerOf } from '../request-checks.ts'
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
        rateLimit: { name: 'sign-in', perMinute: LIMITS.signInsPerMinute },
        problems: ['token.invalid', 'session.foreign_request'],
      },
      // Or another site could sign a browser in to an account of its own, and read what is typed there.
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

// Signing in and out, and the account itself.
import {
  AccountPatch,
  AccountView,
  AppleSignIn,
  NewToken,
  SignedIn,
  SignInLink,
} from '../../../contract/accounts/account.ts'
import { UsageQuery, UsageView } from '../../../contract/accounts/usage.ts'
import { LIMITS } from '../../../contract/limits.ts'
import {
  describeAccount,
  rotateToken,
  setNickname,
  signInByCode,
  signOut,
} from '../../../operations/accounts/accounts.ts'
import { signInWithApple } from '../../../operations/accounts/apple-sign-in.ts'
import { readUsage } from '../../../operations/accounts/sent-by-day.ts'
import type { Context } from '../../../operations/context.ts'
import { accountView, dailyUsageView } from '../../../views/accounts.ts'
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'

const tags = ['Account']
const signInRate = { name: 'sign-in', perMinute: LIMITS.rate.signInsPerMinute }

export function accountRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/auth/link',
    {
      schema: {
        tags,
        operationId: 'signInByCode',
        summary: 'Sign in with a one-time code',
        body: SignInLink,
        response: { 200: SignedIn },
      },
      config: { access: 'public', rateLimit: signInRate, problems: ['token.invalid'] },
    },
    async (request) => {
      const { token, userId } = await signInByCode(ctx, request.body.code, {
        isConsole: false,
        userAgent: request.headers['user-agent'],
      })
      return { token, user_id: userId }
    },
  )

  app.post(
    '/auth/apple',
    {
      schema: {
        tags,
        operationId: 'signInWithApple',
        summary: 'Sign in with Apple',
        description:
          'The first sign-in creates the account and its default key. A device has one token: signing in again replaces it. An identity token with a nonce is accepted once.',
        body: AppleSignIn,
        response: { 200: SignedIn },
      },
      config: { access: 'public', rateLimit: signInRate, problems: ['token.invalid', 'auth.not_enabled'] },
    },
    async (request) => {
      const { token, userId } = await signInWithApple(ctx, request.body)
      return { token, user_id: userId }
    },
  )

  app.post(
    '/auth/token/rotate',
    {
      schema: {
        tags,
        operationId: 'rotateToken',
        summary: 'Replace the token of this request; the old one stops working at once',
        response: { 200: NewToken },
      },
      config: { access: 'user', bearerOnly: true },
    },
    async (request) => ({ token: await rotateToken(ctx, callerOf(request)) }),
  )

  app.delete(
    '/auth/token',
    {
      schema: {
        tags,
        operationId: 'signOut',
        summary: 'Sign out: revoke the token of this request',
        response: { 204: {} },
      },
      config: { access: 'user' },
    },
    async (request, reply) => {
      await signOut(ctx, callerOf(request))
      return reply.code(204).send()
    },
  )

  app.get(
    '/auth/me',
    {
      schema: {
        tags,
        operationId: 'getMe',
        summary: 'Read the account and the use of its quotas',
        response: { 200: AccountView },
      },
      config: { access: 'any' },
    },
    async (request) => accountView(await describeAccount(ctx, callerOf(request))),
  )

  app.get(
    '/auth/me/usage',
    {
      schema: {
        tags,
        operationId: 'getUsage',
        summary: 'Read what was sent and refused, by day, source and key, and what the devices have taken',
        description: `Kept for ${LIMITS.dailyCounts.keptDays} days. A few seconds of counts may be missing after a crash; the quotas of \`GET /auth/me\` are exact.`,
        querystring: UsageQuery,
        response: { 200: UsageView },
      },
      config: { access: 'user' },
    },
    async (request) => {
      const { days = LIMITS.dailyCounts.shownDays } = request.query
      return dailyUsageView(await readUsage(ctx, callerOf(request), days))
    },
  )

  app.patch(
    '/auth/me',
    {
      schema: {
        tags,
        operationId: 'updateMe',
        summary: 'Change the nickname',
        body: AccountPatch,
        response: { 200: AccountView },
      },
      config: { access: 'user' },
    },
    async (request) => accountView(await setNickname(ctx, callerOf(request), request.body.nickname || null)),
  )
}

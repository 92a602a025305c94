// Passkeys over HTTP: those of the account, and signing in to the console with one.
import { SessionView } from '../../../contract/accounts/account.ts'
import {
  PasskeyInput,
  PasskeyList,
  PasskeyParams,
  PasskeyRegistrationOptions,
  PasskeySignIn,
  PasskeySignInOptions,
  PasskeyView,
} from '../../../contract/accounts/passkey.ts'
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
import { callerOf } from '../../caller.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { publicUrlFor } from '../../public-url.ts'
import { ConsoleHeaders, requireOwnPage, setSession } from '../../session-cookie.ts'

const tags = ['Account']
const perMinute = LIMITS.rate.signInsPerMinute

export function passkeyRoutes(app: HttpServer, ctx: Context): void {
  ownPasskeyRoutes(app, ctx)
  signInRoutes(app, ctx)
}

function ownPasskeyRoutes(app: HttpServer, ctx: Context): void {
  app.get(
    '/auth/passkeys',
    {
      schema: {
        tags,
        operationId: 'listPasskeys',
        summary: 'List the passkeys of the account, the oldest first',
        response: { 200: PasskeyList },
      },
      config: { access: 'user' },
    },
    async (request) => ({ items: (await readPasskeys(ctx, callerOf(request))).map(passkeyView) }),
  )

  app.post(
    '/auth/passkeys/options',
    {
      schema: {
        tags,
        operationId: 'offerPasskey',
        summary: 'Begin to register a passkey: what the browser needs',
        description: `The challenge works once and for ${LIMITS.passkey.challengeSeconds / 60} minutes.`,
        response: { 200: PasskeyRegistrationOptions },
      },
      config: { access: 'user', problems: ['passkey.origin_invalid'] },
    },
    async (request) =>
      registrationOptionsView(await offerRegistration(ctx, callerOf(request), publicUrlFor(ctx, request))),
  )

  app.post(
    '/auth/passkeys',
    {
      schema: {
        tags,
        operationId: 'registerPasskey',
        summary: 'Register a passkey',
        body: PasskeyInput,
        response: { 201: PasskeyView },
      },
      config: {
        access: 'user',
        problems: ['passkey.registration_invalid', 'passkey.limit_exceeded', 'passkey.origin_invalid'],
      },
    },
    async (request, reply) => {
      const passkey = await registerPasskey(ctx, callerOf(request), publicUrlFor(ctx, request), request.body)
      return reply.code(201).send(passkeyView(passkey))
    },
  )

  app.delete(
    '/auth/passkeys/:passkey_id',
    {
      schema: {
        tags,
        operationId: 'removePasskey',
        summary: 'Remove a passkey: nobody can sign in with it any more',
        description: 'Sessions that it began stay valid.',
        params: PasskeyParams,
        response: { 204: {} },
      },
      config: { access: 'user', problems: ['passkey.not_found', 'path.too_long'] },
    },
    async (request, reply) => {
      await removePasskey(ctx, callerOf(request), request.params.passkey_id)
      return reply.code(204).send()
    },
  )
}

function signInRoutes(app: HttpServer, ctx: Context): void {
  app.post(
    '/auth/session/passkey/options',
    {
      schema: {
        tags,
        operationId: 'offerPasskeySignIn',
        summary: 'Begin to sign in with a passkey: what the browser needs',
        response: { 200: PasskeySignInOptions },
      },
      config: {
        access: 'public',
        rateLimit: { name: 'passkey-options', perMinute },
        problems: ['passkey.origin_invalid'],
      },
    },
    async (request) => signInOptionsView(offerSignIn(ctx, publicUrlFor(ctx, request))),
  )

  app.post(
    '/auth/session/passkey',
    {
      schema: {
        tags,
        operationId: 'signInWithPasskey',
        summary: 'Sign in to the console with a passkey',
        description: 'For the console’s own pages: the response sets the token as an HttpOnly cookie.',
        requestHeaders: ConsoleHeaders,
        body: PasskeySignIn,
        response: { 200: SessionView },
      },
      config: {
        access: 'public',
        rateLimit: { name: 'sign-in', perMinute },
        problems: ['passkey.invalid', 'passkey.origin_invalid', 'session.foreign_request'],
      },
      // Otherwise another site could sign the browser in to an account of the attacker (login CSRF).
      onRequest: async (request) => requireOwnPage(request),
    },
    async (request, reply) => {
      const { credential } = request.body
      const agent = request.headers['user-agent']
      const { token, userId } = await signInByPasskey(ctx, publicUrlFor(ctx, request), credential, agent)
      setSession(reply, ctx.config, token)
      return { user_id: userId }
    },
  )
}

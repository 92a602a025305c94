// The door for webhooks: every hook has an address of its own.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Hook, HookKind } from '../../../domain/hooks/hook.ts'
import type { HookRequest } from '../../../domain/hooks/request.ts'
import type { Context } from '../../../operations/context.ts'
import { type AddressedHook, findAddressed, receiveRequest } from '../../../operations/hooks/receive.ts'
import { hasBody } from '../../checks/headers.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { sendPage } from '../../html.ts'
import { publicUrlFor } from '../../public-url.ts'
import { bodyOf, readBody } from '../../request-body.ts'
import { DOOR_ROUTE, openDoor } from '../door.ts'
import { queryOf, queryText } from '../reading.ts'
import { discordHook, hookAnswer, hookErrorOf } from './answers.ts'

const ROUTE = { ...DOOR_ROUTE, exposeHeadRoute: false } as const

export function hookDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/hooks',
    errorOf: hookErrorOf,
    unknownToken: 'hook.not_found',
    routes(scope) {
      const receive = (kind?: HookKind) => (request: FastifyRequest, reply: FastifyReply) =>
        receiveAt(ctx, request, reply, kind)
      for (const method of ['POST', 'PUT']) {
        scope.route({ ...ROUTE, method, url: '/:token', handler: receive() })
        // As Discord has them, for senders that know only the form of Slack or GitHub.
        scope.route({ ...ROUTE, method, url: '/:token/slack', handler: receive('slack') })
        scope.route({ ...ROUTE, method, url: '/:token/github', handler: receive('github') })
        // Where Apprise posts to its API.
        scope.route({ ...ROUTE, method, url: '/:token/notify/:any', handler: receive('apprise') })
      }
      scope.route({
        ...ROUTE,
        method: ['GET', 'HEAD'],
        url: '/:token',
        handler: (request, reply) => look(ctx, request, reply),
      })
    },
  })
}

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token

async function receiveAt(ctx: Context, request: FastifyRequest, reply: FastifyReply, kind?: HookKind) {
  return receive(ctx, await findAddressed(ctx, tokenOf(request)), request, reply, kind)
}

async function receive(
  ctx: Context,
  addressed: AddressedHook,
  request: FastifyRequest,
  reply: FastifyReply,
  kind?: HookKind,
): Promise<FastifyReply> {
  const outcome = await receiveRequest(ctx, addressed, await readHookRequest(request), kind)
  const wants = { message: queryOf(request).get('wait') === 'true' }
  const { status, body } = hookAnswer({ outcome, hook: addressed.hook, wants, now: ctx.clock.now() })
  return reply.code(status).send(body)
}

// As it came.
const readHookRequest = async (request: FastifyRequest): Promise<HookRequest> => ({
  method: request.method,
  headers: Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  ),
  query: queryText(request),
  body: await bodyOf(request),
})

// A GET with a query or a body is a report: Home Assistant and Uptime Kuma may send a query, Diun and Gatus a body. Others
// ask what is here.
async function isReport(request: FastifyRequest): Promise<boolean> {
  if (request.method !== 'GET') return false
  // Fastify reads no body of a GET.
  if (hasBody(request)) request.body = await readBody(request, request.raw)
  return (
    (await bodyOf(request)).length > 0 || [...queryOf(request).keys()].some((name) => !DISCORD_QUERY.includes(name))
  )
}

// In the address of a webhook, with which Uptime Kuma asks Discord about it.
const DISCORD_QUERY = ['thread_id', 'wait']

async function look(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = tokenOf(request)
  const addressed = await findAddressed(ctx, token)
  const { hook } = addressed
  if (await isReport(request)) return receive(ctx, addressed, request, reply)
  if (/\btext\/html\b/.test(request.headers.accept ?? '')) {
    return sendHookPage(reply, hook, `${publicUrlFor(ctx, request)}/hooks/${token}`)
  }
  if (hook.kind === 'discord' || hook.kind === 'auto') return reply.send(discordHook(hook, token))
  return reply.type('text/plain; charset=utf-8').send('This is a webhook: post here.\n')
}

// What a browser shows.
function sendHookPage(reply: FastifyReply, { name, kind, secret }: Hook, url: string): FastifyReply {
  const authorization = secret === null ? '' : " -H 'Authorization: Bearer SECRET'"
  return sendPage(reply, 200, {
    title: `Webhook ${name}`,
    text: `Programs post their reports here (kind ${kind}), and each becomes a notification. Keep this address secret. To try it:`,
    code: `curl${authorization} -H 'Content-Type: application/json' -d '{"title": "Hello", "message": "It works."}' ${url}`,
  })
}

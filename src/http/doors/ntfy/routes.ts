// The door for senders of ntfy: publishing, updating and deleting messages, and the small endpoints that they call.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppCaller, Caller } from '../../../domain/caller.ts'
import { newMessageId } from '../../../domain/doors/ntfy/message-id.ts'
import { BODY_START_BYTES, type PublishRequest, readPublication } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import { readTopics } from '../../../domain/doors/ntfy/subscription.ts'
import type { StoredFile } from '../../../domain/files.ts'
import { toUnixSeconds } from '../../../domain/instant.ts'
import { requireApp, requireLevel } from '../../../domain/permissions.ts'
import { describeAccount } from '../../../operations/accounts/accounts.ts'
import { noteAppSeen } from '../../../operations/apps/follow.ts'
import type { Context } from '../../../operations/context.ts'
import { authenticateAtDoor } from '../../../operations/doors/authenticate.ts'
import { publishMessage, type UploadBody } from '../../../operations/doors/ntfy/publish.ts'
import { clearSequence, deleteSequence } from '../../../operations/doors/ntfy/sequences.ts'
import { noteTopics } from '../../../operations/doors/ntfy/upstream.ts'
import { fileAllowance } from '../../../operations/files/keep.ts'
import { localTimeZone } from '../../../runtime/clock.ts'
import { randomText } from '../../../runtime/ids.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { fileUrl } from '../../public-url.ts'
import { DOOR_ROUTE, openDoor } from '../door.ts'
import { openBody } from '../open-body.ts'
import { credentialsReader } from '../reading.ts'
import {
  accountAnswer,
  configAnswer,
  messageAnswer,
  ntfyErrorOf,
  pollRequestAnswer,
  sequenceAnswer,
} from './answers.ts'
import { addressOf, ntfyToken, pathOf, readJsonPublishRequest, readPublishRequest } from './request.ts'
import { subscribeRoutes } from './subscribe.ts'
import { isForEndpoint, matrixRoutes, receivePush, unifiedPushRoutes } from './unified-push.ts'

// Bodies are stored as they came: ntfy decompresses none, and aes128gcm is encryption. A HEAD request must not publish.
const ROUTE = { ...DOOR_ROUTE, decompress: false, exposeHeadRoute: false } as const

export function ntfyDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: '/ntfy',
    errorOf: ntfyErrorOf,
    unknownToken: 'token.invalid',
    routes(scope) {
      allowAllOrigins(scope)
      publishRoutes(scope, ctx)
      sequenceRoutes(scope, ctx)
      informationRoutes(scope, ctx)
      unifiedPushRoutes(scope, ctx, ROUTE)
      subscribeRoutes(scope, ctx, ROUTE, (request) => requireNtfyApp(ctx, request))
    },
  })
}

// Homeservers of Matrix take the address of a gateway without a path.
export function matrixDoor(app: HttpServer, ctx: Context): void {
  const errorOf = ntfyErrorOf
  openDoor(app, ctx, { prefix: '', errorOf, routes: (scope) => matrixRoutes(scope, ctx, ROUTE), isOpenEnded: false })
}

// Pages of any site may publish with a token of their own; the door takes no cookie.
function allowAllOrigins(scope: HttpServer): void {
  scope.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    if (request.method !== 'OPTIONS') return done()
    const methods = 'GET, PUT, POST, PATCH, DELETE'
    reply.header('access-control-allow-methods', methods).header('access-control-allow-headers', '*').send()
  })
  scope.options('/', ROUTE, async () => undefined)
}

async function requireCaller(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const token = ntfyToken(request)
  // To ntfy this is an anonymous user, who may read and write no topic here.
  if (token === undefined) throw new NtfyRefusal(40301)
  return authenticateAtDoor(ctx, 'ntfy', token, credentialsReader(request))
}

async function requireSender(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const caller = await requireCaller(ctx, request)
  requireLevel(caller, 'notifications', 'send')
  return caller
}

async function requireNtfyApp(ctx: Context, request: FastifyRequest): Promise<AppCaller> {
  const caller = await requireCaller(ctx, request)
  requireApp(caller, 'ntfy')
  return caller
}

// Who may learn the name, the limits and the usage of the account, which both roles of ntfy's clients ask for.
async function requireSenderOrApp(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const caller = await requireCaller(ctx, request)
  if (caller.kind === 'app') requireApp(caller, 'ntfy')
  else requireLevel(caller, 'notifications', 'send')
  return caller
}

// ntfy writes a line.
const sendLine = (reply: FastifyReply, answer: object) =>
  reply.type('application/json').send(`${JSON.stringify(answer)}\n`)

function publishRoutes(scope: HttpServer, ctx: Context): void {
  const publishing = (read: (request: FastifyRequest, bodyStart: Buffer) => PublishRequest) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const { topic, sequence } = request.params as { topic?: string; sequence?: string }
      if (topic !== undefined && sequence === undefined && isForEndpoint(request, topic)) {
        return receivePush(ctx, request, reply, topic)
      }
      const caller = await requireSender(ctx, request)
      const body = await openBody(request, BODY_START_BYTES)
      const urlOf = ({ id }: StoredFile) => fileUrl(ctx, request, id)
      const upload = { bytes: body.bytes, content: body.whole(), urlOf }
      return sendLine(reply, await publish(ctx, caller, read(request, body.start), upload))
    }
  }
  const [publishText, publishJson] = [publishing(readPublishRequest), publishing(readJsonPublishRequest)]
  for (const method of ['PUT', 'POST']) {
    scope.route({ ...ROUTE, method, url: '/', handler: publishJson })
    scope.route({ ...ROUTE, method, url: '/:topic', handler: publishText })
    scope.route({ ...ROUTE, method, url: '/:topic/:sequence', handler: publishText })
  }
  for (const word of ['publish', 'send', 'trigger']) scope.get(`/:topic/${word}`, ROUTE, publishText)
}

async function publish(ctx: Context, caller: Caller, request: PublishRequest, upload: UploadBody): Promise<object> {
  const now = ctx.clock.now()
  const { topic, parameters } = request
  const { pollId } = parameters
  if (pollId) return pollRequestAnswer(newMessageId(randomText), { topic, pollId }, now)
  const settings = { zone: localTimeZone(), newActionId: () => randomText(10) }
  return messageAnswer(await publishMessage(ctx, caller, readPublication(request, settings, now), upload))
}

function sequenceRoutes(scope: HttpServer, ctx: Context): void {
  const changing = (event: 'message_delete' | 'message_clear', change: typeof deleteSequence) => {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = await requireSender(ctx, request)
      const { topic, sequence = '' } = pathOf(request)
      await change(ctx, caller, { topic, sequence })
      return sendLine(reply, sequenceAnswer(newMessageId(randomText), { event, topic, sequence }, ctx.clock.now()))
    }
  }
  const clear = changing('message_clear', clearSequence)
  scope.delete('/:topic/:sequence', ROUTE, changing('message_delete', deleteSequence))
  scope.put('/:topic/:sequence/clear', ROUTE, clear)
  scope.put('/:topic/:sequence/read', ROUTE, clear)
}

function informationRoutes(scope: HttpServer, ctx: Context): void {
  // All topics of an account have the same permissions. Senders ask, too.
  scope.get('/:topics/auth', ROUTE, async (request, reply) => {
    const topics = readTopics((request.params as { topics: string }).topics)
    const caller = await requireSenderOrApp(ctx, request)
    if (caller.kind === 'app') {
      await noteAppSeen(ctx, caller)
      await noteTopics(ctx, caller, topics, addressOf(ctx, request))
    }
    return sendLine(reply, { success: true })
  })
  scope.get('/v1/health', ROUTE, async (_request, reply) => sendLine(reply, { healthy: true }))
  scope.get('/v1/config', ROUTE, async (request, reply) =>
    sendLine(reply, configAnswer(addressOf(ctx, request), ctx.config.smtpUrl !== undefined)),
  )
  scope.get('/v1/stats', ROUTE, async (_request, reply) => sendLine(reply, { messages: 0, messages_rate: 0 }))
  scope.get('/v1/account', ROUTE, async (request, reply) => {
    if (ntfyToken(request) === undefined) return sendLine(reply, accountAnswer(undefined, undefined))
    const caller = await requireSenderOrApp(ctx, request)
    const account = await describeAccount(ctx, caller)
    return sendLine(reply, accountAnswer(account, await fileAllowance(ctx, caller)))
  })
  // Home Assistant asks for a token in exchange for a name and password. It gets the one that it has sent as the password.
  scope.post('/v1/account/token', ROUTE, async (request, reply) => {
    await requireSenderOrApp(ctx, request)
    return sendLine(reply, { token: ntfyToken(request), last_access: toUnixSeconds(ctx.clock.now()), expires: 0 })
  })
  // For administrators of ntfy, which nobody is here. Home Assistant asks, and goes on after this error.
  scope.get('/v1/version', ROUTE, async () => {
    throw new NtfyRefusal(40101)
  })
}

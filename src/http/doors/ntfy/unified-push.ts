// UnifiedPush at the door for ntfy: discovery, posts by the servers of other apps (RFC 8030), and the gateway for Matrix.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newMessageId } from '../../../domain/doors/ntfy/message-id.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import {
  isEndpointName,
  MOST_PUSH_BYTES,
  readReplacedTopic,
  readTtl,
  readUrgency,
  readVapid,
} from '../../../domain/doors/ntfy/unified-push.ts'
import { type Instant, toUnixSeconds } from '../../../domain/instant.ts'
import type { Context } from '../../../operations/context.ts'
import { isUnifiedPushOn, type PostResult, postToEndpoint } from '../../../operations/doors/ntfy/unified-push.ts'
import { randomText } from '../../../runtime/ids.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { parseJson } from '../../json-body.ts'
import { publicUrlFor } from '../../public-url.ts'
import { bodyOf } from '../../request-body.ts'
import { queryOf } from '../reading.ts'
import { addressOf, ntfyToken } from './request.ts'

// Whether a post is one for another app: it has no credentials of ours, which always publish.
export const isForEndpoint = (request: FastifyRequest, topic: string): boolean =>
  isEndpointName(topic) && ntfyToken(request) === undefined

export async function receivePush(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  topic: string,
): Promise<FastifyReply> {
  if (!isUnifiedPushOn(ctx.config)) throw new NtfyRefusal(40401)
  const body = await bodyOf(request)
  if (body.length === 0) throw new NtfyRefusal(40000)
  if (body.length > MOST_PUSH_BYTES) throw new NtfyRefusal(41302)
  const posted = await post(ctx, request, topic, body)
  if (posted.result !== 'accepted') throw refusal(request, reply, posted)
  const { ttlSeconds, at } = posted
  const id = newMessageId(randomText)
  const time = toUnixSeconds(at)
  return reply
    .code(201)
    .headers({ location: `${addressOf(ctx, request)}/message/${id}`, ttl: String(ttlSeconds) })
    .type('application/json')
    .send(`${JSON.stringify({ id, time, expires: time + ttlSeconds, event: 'message', topic })}\n`)
}

function post(ctx: Context, request: FastifyRequest, name: string, body: Buffer): Promise<PostResult> {
  const header = (named: string) => {
    const value = request.headers[named]
    return Array.isArray(value) ? value[0] : value
  }
  const now: Instant = ctx.clock.now()
  const audiences = [addressOf(ctx, request), publicUrlFor(ctx, request)].map((url) => new URL(url).origin)
  return postToEndpoint(ctx, name, {
    body,
    ttlSeconds: readTtl(header('ttl')),
    priority: readUrgency(header('urgency')),
    topic: readReplacedTopic(header('topic')),
    vapid: readVapid({ authorization: header('authorization'), cryptoKey: header('crypto-key') }, audiences, now),
  })
}

type Refused = Exclude<PostResult, { result: 'accepted' }>

function refusal(request: FastifyRequest, reply: FastifyReply, posted: Refused): Error {
  switch (posted.result) {
    // The app may be about to ask for it.
    case 'unknown':
      return request.server.countGuessedName(request) ?? new NtfyRefusal(50701)
    case 'gone':
      return new NtfyRefusal(40401)
    case 'vapid_missing':
      return new NtfyRefusal(40101)
    case 'vapid_invalid':
    case 'vapid_other':
      return new NtfyRefusal(40301)
    case 'too_many':
      reply.header('retry-after', String(posted.afterSeconds))
      return new NtfyRefusal(42901)
    case 'too_many_today':
      reply.header('retry-after', '3600')
      return new NtfyRefusal(42908)
  }
}

export function unifiedPushRoutes(scope: HttpServer, ctx: Context, route: object): void {
  scope.get('/:topic', route, async (request) => {
    const { topic } = request.params as { topic: string }
    const asks = queryOf(request).get('up') === '1'
    if (!asks || !isUnifiedPushOn(ctx.config) || !isEndpointName(topic)) throw new NtfyRefusal(40401)
    return { unifiedpush: { version: 1 } }
  })
  matrixRoutes(scope, ctx, route)
}

// At the root of the host of the door, and of the server.
export function matrixRoutes(scope: HttpServer, ctx: Context, route: object): void {
  const url = '/_matrix/push/v1/notify'
  scope.get(url, route, async () => {
    if (!isUnifiedPushOn(ctx.config)) throw new NtfyRefusal(40401)
    return { unifiedpush: { gateway: 'matrix' } }
  })
  scope.post(url, route, async (request, reply) => {
    if (!isUnifiedPushOn(ctx.config)) throw new NtfyRefusal(40401)
    const body = await bodyOf(request)
    if (body.length > MOST_PUSH_BYTES) throw new NtfyRefusal(41302)
    return notifyDevices(ctx, request, reply, body)
  })
}

const MOST_DEVICES = 20

// Every device of ours gets the whole document. A homeserver forgets those that are rejected.
async function notifyDevices(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): Promise<{ rejected: string[] }> {
  const keys = pushkeysOf(body)
  const rejected: string[] = []
  const unknown: string[] = []
  let served = 0
  for (const key of keys) {
    const name = nameOf(ctx, request, key)
    const posted = name === undefined ? undefined : await post(ctx, request, name, body)
    if (posted?.result === 'accepted') served += 1
    else if (posted === undefined || posted.result === 'gone') rejected.push(key)
    else if (posted.result === 'unknown') unknown.push(key)
    else throw refusal(request, reply, posted)
  }
  if (served > 0 || unknown.length === 0) return { rejected: [...rejected, ...unknown] }
  throw refusal(request, reply, { result: 'unknown' })
}

function pushkeysOf(body: Buffer): string[] {
  let value: unknown
  try {
    value = parseJson(body.toString())
  } catch {
    throw new NtfyRefusal(40017)
  }
  const devices = (value as { notification?: { devices?: unknown } } | null)?.notification?.devices
  if (!Array.isArray(devices)) throw new NtfyRefusal(40017)
  const keys = devices.map((device) => (device as { pushkey?: unknown } | null)?.pushkey)
  return keys.filter((key): key is string => typeof key === 'string').slice(0, MOST_DEVICES)
}

// The name in a pushkey of this server. Undefined for that of another one.
function nameOf(ctx: Context, request: FastifyRequest, pushkey: string): string | undefined {
  const bases = [addressOf(ctx, request), `${publicUrlFor(ctx, request)}/ntfy`]
  if (ctx.config.ntfyHost) bases.push(`${request.protocol}://${ctx.config.ntfyHost}`)
  const base = bases.find((one) => pushkey.startsWith(`${one}/`))
  const name = base && pushkey.slice(base.length + 1).replace(/\?.*$/s, '')
  return name && isEndpointName(name) ? name : undefined
}

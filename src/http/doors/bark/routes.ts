// The door for senders and phones of Bark, answered as bark-server answers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { BarkParameters } from '../../../domain/doors/bark/parameters.ts'
import { type BarkCall, type BarkRequest, readBarkCall, readBarkForm } from '../../../domain/doors/bark/request.ts'
import { isForm, readForm } from '../../../domain/doors/forms.ts'
import { boundaryOf } from '../../../domain/doors/multipart.ts'
import type { Context } from '../../../operations/context.ts'
import { sendFromBark } from '../../../operations/doors/bark.ts'
import { VERSION } from '../../../runtime/version.ts'
import { clientAddress } from '../../connections/client-address.ts'
import type { HttpServer } from '../../fastify-types.ts'
import { sendHtml } from '../../html.ts'
import { parseJson } from '../../json-body.ts'
import { problemOf, setRetryAfter } from '../../problem-reply.ts'
import { bodyOf } from '../../request-body.ts'
import { openDoor } from '../door.ts'
import { credentialsReader, queryText } from '../reading.ts'
import { answer, type BarkAnswer, refusalOf, success } from './answers.ts'
import { phoneRoutes, ROUTE } from './phone.ts'

const PREFIX = '/bark'
export function barkDoor(app: HttpServer, ctx: Context): void {
  openDoor(app, ctx, {
    prefix: PREFIX,
    errorOf: (problem) => {
      const { code, message } = refusalOf(problem)
      return { status: code, body: answer(code, message, ctx.clock.now()) }
    },
    unknownToken: 'token.invalid',
    routes(scope) {
      informationRoutes(scope, ctx)
      phoneRoutes(scope, ctx)
      // A part of a path may be a text, for which the length of path parameters is too short.
      scope.all('/*', ROUTE, (request, reply) => receive(ctx, request, reply))
    },
    isOpenEnded: false,
  })
}

function informationRoutes(scope: HttpServer, ctx: Context): void {
  for (const path of ['/', '/healthz'])
    scope.get(path, ROUTE, (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok'))
  scope.get('/ping', ROUTE, async () => success(ctx.clock.now(), undefined, 'pong'))
  scope.get('/info', ROUTE, async () => ({
    version: `v2 (Heliograph ${VERSION})`,
    build: '',
    arch: '',
    commit: '',
    devices: 0,
  }))
}

// The key, title, subtitle and body.
const MOST_SEGMENTS = 4

async function receive(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<BarkAnswer | FastifyReply> {
  if (request.method === 'HEAD' || isPrefetch(request)) return reply.code(204).send()
  const path = segmentsOf(request)
  const isPost = request.method === 'POST'
  if (path.length > MOST_SEGMENTS || !(isPost || request.method === 'GET')) {
    throw new Problem('route.not_found', 'There is nothing at this path.')
  }
  const { parameters, key, keys } = await readCall(ctx, request, path)
  if (!isPost && isEmpty(parameters) && /\btext\/html\b/.test(request.headers.accept ?? ''))
    return sendHtml(reply, 200, FORMS)
  if (keys) return success(ctx.clock.now(), await sendToAll(ctx, request, reply, keys, parameters))
  if (key === '') throw new Problem('request.body_invalid', 'device key is empty')
  await sendFromBark(ctx, key, parameters, credentialsReader(request))
  return success(ctx.clock.now())
}

// Browsers and messengers look at links that people only see.
const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  [headers.purpose, headers['sec-purpose'], headers['x-moz']].some((purpose) =>
    /prefetch|prerender/i.test(String(purpose ?? '')),
  )

const segmentsOf = ({ url }: FastifyRequest): string[] =>
  url
    .slice(PREFIX.length)
    .replace(/\?.*$/s, '')
    .split('/')
    .filter((segment) => segment !== '')

const isEmpty = ({ title, subtitle, body, markdown, ciphertext, delete: deletion }: BarkParameters): boolean =>
  !(title || subtitle || body || markdown || ciphertext || deletion)

// In one slice, because a body may be large.
async function readCall(ctx: Context, request: FastifyRequest, path: string[]): Promise<BarkCall> {
  const isPost = request.method === 'POST'
  const asked = { path, query: queryText(request) }
  const body = await bodyOf(request)
  if (body.length === 0) return readBarkCall(asked, isPost)
  const type = request.headers['content-type'] ?? ''
  return ctx.slices(clientAddress(request), async () =>
    readBarkCall({ ...asked, ...(await readBody(type, body)) }, isPost),
  )
}

async function readBody(type: string, body: Buffer): Promise<Pick<BarkRequest, 'form' | 'json'>> {
  if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return { json: objectOf(body) }
  if (boundaryOf(type) !== undefined) return { form: await readForm(type, body) }
  return { form: isForm(type) || type === '' ? readBarkForm(body.toString()) : [] }
}

function objectOf(body: Buffer): Record<string, unknown> {
  const value = parseJson(body.toString())
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Problem('request.body_invalid', 'request bind failed: the body must be a JSON object')
}

type BatchResult = { code: number; device_key: string; message?: string }

// A few begin in each turn of the event loop: a hundred sends at once would hold up all other requests.
const BEGUN_AT_ONCE = 5

// Each key for itself: one that is refused, or whose phone is slow, does not keep the others from being sent.
async function sendToAll(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  keys: string[],
  parameters: BarkParameters,
): Promise<BatchResult[]> {
  const send = async (device_key: string): Promise<BatchResult> => {
    try {
      await sendFromBark(ctx, device_key, parameters, credentialsReader(request))
      return { code: 200, device_key }
    } catch (error) {
      const refusal = problemOf(ctx.log, error, request)
      const problem = (refusal.problem === 'token.invalid' && request.server.countRefusedToken(request)) || refusal
      setRetryAfter(reply, problem)
      return { device_key, ...refusalOf(problem) }
    }
  }
  const sending: Promise<BatchResult>[] = []
  for (let start = 0; start < keys.length; start += BEGUN_AT_ONCE) {
    await ctx.slices(clientAddress(request), () => {
      sending.push(...keys.slice(start, start + BEGUN_AT_ONCE).map(send))
    })
  }
  return Promise.all(sending)
}

const FORMS = {
  title: 'Send with Bark',
  content: `<div class="box"><h1>An address for sending</h1>
<p>Put your text behind this address, as a program that sends to Bark does:</p>
<pre>…/KEY/Body
…/KEY/Title/Body
…/KEY/Title/Subtitle/Body?group=ci&amp;level=timeSensitive</pre>
<p class="soft">Nothing was sent. The key in the address is a secret: whoever has it can send to you.</p></div>`,
}

// The door for senders and phones of Bark, answered as bark-server answers.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/problems.ts'
import type { BarkParameters } from '../../../domain/doors/bark/parameters.ts'
import { type BarkRequest, readBarkCall } from '../../../domain/doors/bark/request.ts'
import { isForm, readEncodedFields, readForm } from '../../../domain/doors/forms.ts'
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
      const paths = ['/:a', '/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d']
      for (const url of paths.flatMap((path) => [path, `${path}/`])) {
        scope.route({
          ...ROUTE,
          method: ['GET', 'HEAD', 'POST'],
          url,
          handler: (request, reply) => receive(ctx, request, reply),
        })
      }
    },
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

async function receive(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<BarkAnswer | FastifyReply> {
  if (request.method === 'HEAD' || isPrefetch(request)) return reply.code(204).send()
  const path = segmentsOf(request)
  const isPost = request.method === 'POST'
  const { parameters, key, keys } = readBarkCall(await readRequest(ctx, request, path), isPost)
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

export const segmentsOf = ({ url }: FastifyRequest): string[] =>
  url
    .slice(PREFIX.length)
    .replace(/\?.*$/s, '')
    .split('/')
    .filter((segment) => segment !== '')

const isEmpty = ({ title, subtitle, body, markdown, ciphertext, delete: deletion }: BarkParameters): boolean =>
  !(title || subtitle || body || markdown || ciphertext || deletion)

async function readRequest(ctx: Context, request: FastifyRequest, path: string[]): Promise<BarkRequest> {
  const query = queryText(request)
  const type = request.headers['content-type'] ?? ''
  const body = await bodyOf(request)
  if (body.length === 0) return { path, query }
  return ctx.slices(clientAddress(request), async () => {
    if (/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return { path, query, json: objectOf(body) }
    if (boundaryOf(type) !== undefined) return { path, query, form: await readForm(type, body) }
    return { path, query, form: isForm(type) || type === '' ? readEncodedFields(body.toString()) : [] }
  })
}

function objectOf(body: Buffer): Record<string, unknown> {
  const value = parseJson(body.toString())
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Problem('request.body_invalid', 'request bind failed: the body must be a JSON object')
}

type BatchResult = { code: number; device_key: string; message?: string }

// Each key for itself: one that is refused, or whose phone is slow, does not keep the others from being sent.
const sendToAll = (
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  keys: string[],
  parameters: BarkParameters,
): Promise<BatchResult[]> =>
  Promise.all(
    keys.map(async (device_key): Promise<BatchResult> => {
      try {
        await sendFromBark(ctx, device_key, parameters, credentialsReader(request))
        return { code: 200, device_key }
      } catch (error) {
        const refusal = problemOf(ctx.log, error, request)
        const problem = (refusal.problem === 'token.invalid' && request.server.countRefusedToken(request)) || refusal
        setRetryAfter(reply, problem)
        return { device_key, ...refusalOf(problem) }
      }
    }),
  )

const FORMS = {
  title: 'Send with Bark',
  content: `<div class="box"><h1>An address for sending</h1>
<p>Put your text behind this address, as a program that sends to Bark does:</p>
<pre>…/KEY/Body
…/KEY/Title/Body
…/KEY/Title/Subtitle/Body?group=ci&amp;level=timeSensitive</pre>
<p class="soft">Nothing was sent. The key in the address is a secret: whoever has it can send to you.</p></div>`,
}

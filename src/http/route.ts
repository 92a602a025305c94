// A route of the API is a row: method and path, what it takes and answers, who may call it, and its handler. Fastify, the
// request checks, the routes of organizations and openapi.json read the rows of all tables (routes.ts).
import type { FastifyContextConfig, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Access } from '../contract/permissions.ts'
import type { ProblemName } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'
import type { Context } from '../operations/context.ts'
import type { ChangeMode } from '../operations/transact-or-rehearse.ts'
import type { HttpServer } from './fastify-types.ts'
import { publicUrlFor } from './public-url.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

// The schema of JSON, or the content of other media types, which the handler sends itself.
type Answer = TSchema | { content: Record<string, { schema: TSchema }> }
const STATUSES = { ok: 200, created: 201, accepted: 202, partial: 206 } as const

// What the request checks read is in FastifyContextConfig (fastify-types.ts).
type Description = FastifyContextConfig & {
  // The operationId.
  id: string
  summary: string
  description?: string
  deprecated?: true
  // Headers that the handler reads and checks itself.
  headers?: TObject
  // The problems of this route besides those that its access, body and parameters imply.
  problems?: readonly ProblemName[]
  // The statuses whose responses have X-Resource-Action.
  resourceActionOn?: readonly number[]
  // The route takes an Idempotency-Key.
  isIdempotent?: true
  // Names of callbacks, and of their descriptions in openapi/callbacks.ts.
  callbacks?: Record<string, string>
  // The route also exists under /orgs/{org_id}, with what differs there.
  organization?: boolean | { description: string; ok: TSchema }
  // The route also exists under /s/{token}, for screens; or only there.
  screenLink?: true | 'only'
  // The route administers the account or the organization: who may do what, and by which credentials.
  audited?: true
  // Options of Fastify.
  onRequest?: (request: FastifyRequest) => Promise<void>
  compress?: false
}

// A row with one answer has its status, and a row with none 204. With several, the status is 200 unless the handler sets
// another.
type Row<Allowed, Params, Query, Body, Ok, Created, Accepted> = Description & {
  access?: Allowed
  params?: Params
  query?: Query
  body?: Body
  ok?: Ok
  created?: Created
  accepted?: Accepted
  partial?: Answer
  handle: (call: Call<Allowed, Params, Query, Body>) => Result<Ok | Created | Accepted>
}

// What a handler gets of a request. A public route has no caller.
type Call<Allowed, Params, Query, Body> = {
  caller: 'public' extends Allowed ? undefined : Caller
  params: StaticOf<Params>
  query: StaticOf<Query>
  body: StaticOf<Body>
  // ?dry_run=true of a request that changes something.
  mode: ChangeMode
  // The address of this server in links.
  publicUrl: string
  // Aborted when the client disconnects before it has its response.
  gone: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

// A member that a row does not have is `never`.
type StaticOf<Schema> = [Schema] extends [never] ? undefined : Schema extends TSchema ? Static<Schema> : never
type Result<Answered> = [Answered] extends [never] ? Promise<void> : Promise<StaticOf<Answered>>

// A row of any types. Its handler was checked against them.
export type Route = Description & { [Name in keyof typeof STATUSES]?: Answer } & {
  method: Method
  url: string
  tag: string
  access: Access
  params?: TObject
  query?: TObject
  body?: TSchema
  handle: (call: never) => Promise<unknown>
}

// A row before its table has added what all its rows share.
type UnlistedRoute = Omit<Route, 'tag' | 'access'> & { access?: Access }
type RouteWithAccess = UnlistedRoute & { access: Access }

export function route<
  const Allowed extends Access = never,
  Params extends TObject = never,
  Query extends TObject = never,
  Body extends TSchema = never,
  Ok extends Answer = never,
  Created extends Answer = never,
  Accepted extends Answer = never,
>(
  at: `${Method} /${string}`,
  row: Row<Allowed, Params, Query, Body, Ok, Created, Accepted>,
): [Allowed] extends [never] ? UnlistedRoute : RouteWithAccess {
  const [method, url] = at.split(' ') as [Method, string]
  return { ...row, method, url } as RouteWithAccess
}

// What all rows of a table share, unless they say otherwise. `tag`: their heading in the documentation (openapi/document.ts).
// Who may call a route is said by its row or by its table; only a row can say that it is public.
type Shared = Pick<Route, 'tag' | 'organization' | 'orgRole' | 'screenLink'>
export function table(shared: Shared & { access: Exclude<Access, 'public'> }, rows: UnlistedRoute[]): Route[]
export function table(shared: Shared, rows: RouteWithAccess[]): Route[]
export function table(shared: Shared, rows: UnlistedRoute[]): Route[] {
  return rows.map((row) => ({ ...shared, ...row }) as Route)
}

// The answers of a route by status.
export function responsesOf(route: Route): Record<number, Answer> {
  if (route.eventStream) return {}
  const names = Object.keys(STATUSES) as (keyof typeof STATUSES)[]
  const answers = names.flatMap((name) => (route[name] ? [[STATUSES[name], route[name]]] : []))
  return answers.length === 0 ? { 204: {} } : Object.fromEntries(answers)
}

export function addRoutes(app: HttpServer, ctx: Context, routes: Route[]): void {
  for (const one of routes) app.route(optionsOf(ctx, one))
}

function optionsOf(ctx: Context, route: Route): RouteOptions {
  const { method, url, params, query, body, onRequest, compress } = route
  const response = responsesOf(route)
  return {
    method,
    url,
    // Fastify warns of members that are undefined.
    schema: { ...(params && { params }), ...(query && { querystring: query }), ...(body && { body }), response },
    config: route,
    onRequest,
    compress,
    handler: handlerOf(ctx, route, Object.keys(response).map(Number)),
  }
}

function handlerOf(ctx: Context, route: Route, [status = 200, ...others]: number[]): RouteOptions['handler'] {
  const handle = route.handle as (call: CallOfRequest) => Promise<unknown>
  if (status === 200 || others.length > 0) return (request, reply) => handle(new CallOfRequest(ctx, request, reply))
  return async (request, reply) => {
    const result = await handle(new CallOfRequest(ctx, request, reply))
    reply.code(status)
    return result
  }
}

// The members that cost something are getters. It takes 0.1 µs to make; an object literal with getters takes 7 µs.
class CallOfRequest {
  readonly caller: Caller | undefined
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly #ctx: Context

  constructor(ctx: Context, request: FastifyRequest, reply: FastifyReply) {
    this.caller = request.caller
    this.params = request.params
    this.query = request.query
    this.body = request.body
    this.request = request
    this.reply = reply
    this.#ctx = ctx
  }

  get mode(): ChangeMode {
    return (this.query as { dry_run?: boolean }).dry_run ? 'dry_run' : 'commit'
  }

  get publicUrl(): string {
    return publicUrlFor(this.#ctx, this.request)
  }

  get gone(): AbortSignal {
    return disconnectSignal(this.reply)
  }
}

export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.on('close', () => gone.abort())
  return gone.signal
}

// What the doors share: a scope with bodies as they came, errors in the form of the other service, and a limit on unknown
// tokens over all doors together.
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Problem, type ProblemName } from '../../contract/problems.ts'
import type { Context } from '../../operations/context.ts'
import { sendAndDrain } from '../connections/drain-body.ts'
import type { HttpServer } from '../fastify-types.ts'
import { problemOf, setRetryAfter } from '../problem-reply.ts'
import { leaveLargeBodies } from '../request-body.ts'

export type Door = {
  prefix: string
  // The status and the body of an error, as the other service answers.
  errorOf(problem: Problem): { status: number; body: object | string }
  // The problem of a request whose token is unknown. Such requests are counted per client address.
  unknownToken?: ProblemName
  routes(scope: HttpServer): void
  // False: paths that it does not have are not its own.
  isOpenEnded?: boolean
}

// Options of every route of a door. Its handler finds the caller, because each service puts the token elsewhere.
export const DOOR_ROUTE = {
  config: {
    access: 'public',
    readsOwnBody: true,
  },
} as const satisfies RouteShorthandOptions

// Senders use the first three. '*' alone would do, but Fastify 5.12 caches only the parsers of types that are named, and for
// others parses the header again with each request.
const EVERY_TYPE = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', '*']

export function openDoor(
  app: HttpServer,
  ctx: Context,
  { prefix, errorOf, unknownToken, routes, isOpenEnded = true }: Door,
): void {
  app.register(
    (scope: HttpServer, _options, done) => {
      scope.removeAllContentTypeParsers()
      leaveLargeBodies(scope, EVERY_TYPE)
      scope.setErrorHandler((error, request, reply) => {
        const refusal = problemOf(ctx.log, error, request)
        const problem = (refusal.problem === unknownToken && scope.countRefusedToken(request)) || refusal
        request.problem = problem
        setRetryAfter(reply, problem)
        const { status, body } = errorOf(problem)
        reply.code(status)
        if (status !== 413) return reply.send(body)
        const isText = typeof body === 'string'
        reply.type(isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8')
        return sendAndDrain(request, reply, isText ? body : JSON.stringify(body))
      })
      routes(scope)
      const nothingHere = (request: FastifyRequest, _reply: FastifyReply): never => {
        throw new Problem('route.not_found', `There is nothing at ${request.method} ${request.routeOptions.url}.`)
      }
      if (isOpenEnded) scope.all('/*', DOOR_ROUTE, nothingHere)
      done()
    },
    { prefix },
  )
}

// The caller that the request checks have found.
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../domain/caller.ts'

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`the route ${request.routeOptions.url} is public and has no caller`)
  return request.caller
}

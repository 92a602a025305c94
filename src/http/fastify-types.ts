// Additions to Fastify's types: the caller of a request, and the declarations of each route.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Access } from '../contract/permissions.ts'
import type { Problem, ProblemName } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    // Set if the response is a problem, for the log line.
    problem: Problem | undefined
  }
  interface FastifySchema {
    // OpenAPI callbacks.
    callbacks?: object
  }
  interface FastifyContextConfig {
    access?: Access
    // The slug list of the key that the {slug} in the path, or in a posted body, is checked against.
    slugs?: 'widgets' | 'activities'
    // The response contains a secret that the console must not read, so its session cookie is not accepted.
    bearerOnly?: true
    // A missing body is read as {}.
    isBodyOptional?: boolean
    // A rate limit besides the general one.
    rateLimit?: { name: string; perMinute: number }
    // The problems of this route besides those that its access and body imply.
    problems?: readonly ProblemName[]
    // The statuses whose responses have X-Resource-Action, for OpenAPI.
    resourceActionOn?: readonly number[]
  }
}

export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

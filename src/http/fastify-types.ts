// What we add to Fastify's own types: the caller of a request, and what each route says about itself.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { TObject } from 'typebox'
import type { Access } from '../contract/permissions.ts'
import type { Problem, ProblemName } from '../contract/problems.ts'
import type { Caller } from '../domain/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    // Set when the answer is a problem, for the log line.
    problem: Problem | undefined
  }
  interface FastifySchema {
    // The rest is for openapi.json only.
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    deprecated?: boolean
    hide?: boolean
    // Headers that the handler reads and checks itself.
    requestHeaders?: TObject
    // The answer is the event stream.
    eventStream?: true
    // Names of callbacks, and of their descriptions in openapi/callbacks.ts.
    callbacks?: Record<string, string>
  }
  interface FastifyContextConfig {
    access?: Access
    // Whose slug list the {slug} of the path, or of a posted body, is held against.
    slugs?: 'widgets' | 'activities'
    // The answer shows a secret that no script of the console may read, so its cookie does not count.
    bearerOnly?: true
    // No body counts as {}.
    isBodyOptional?: boolean
    // A limit of its own besides the general one.
    rateLimit?: { name: string; perMinute: number }
    // The problems this route may answer beyond those its access and body imply.
    problems?: readonly ProblemName[]
    // The statuses whose answer has X-Resource-Action, for openapi.json.
    resourceActionOn?: readonly number[]
    // The route takes an Idempotency-Key, for openapi.json.
    isIdempotent?: true
  }
}

export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

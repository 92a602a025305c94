// Additions to Fastify's types: the caller of a request, and the declarations of each route.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { OrgRole } from '../contract/organizations/organization.ts'
import type { Access } from '../contract/permissions.ts'
import type { Problem, ProblemName } from '../contract/problems.ts'
import type { Caller, UserId } from '../domain/caller.ts'
import type { Credentials } from '../operations/authenticate.ts'
import type { ReservedId } from '../operations/notifications/send.ts'
import type { Uploads } from '../operations/notifications/send-files.ts'
import type { BegunRead } from '../operations/widgets/widgets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    // Set if the response is a problem, for the log line.
    problem: Problem | undefined
    // What `begin` of the route has begun.
    begunRead: BegunRead | undefined
    reservedId: ReservedId | undefined
    // The files of a form, after the part that is the body.
    uploads: Uploads | undefined
  }
  interface FastifyInstance {
    // Reads a token that came over this connection.
    credentialsOf(connection: Socket, token: string): Credentials
    // Counts an unknown token at a door; returns what to answer instead if its address has sent too many.
    countRefusedToken(request: FastifyRequest): Problem | undefined
    // The same for a name of UnifiedPush.
    countGuessedName(request: FastifyRequest): Problem | undefined
  }
  interface FastifyContextConfig {
    access?: Access
    // Called while the token is checked, for what would else take another round trip to PostgreSQL. `userId`: the account that
    // sent the token before. What is read of it is used only if the caller is that account.
    begin?: (request: FastifyRequest, userId: UserId) => void
    // The slug list of the key that the {slug} in the path, or in a posted body, is checked against.
    slugs?: 'widgets' | 'activities'
    // The response contains a secret that the console must not read, so its session cookie is not accepted.
    bearerOnly?: true
    // The path has an {org_id}: the caller must be a member of that organization in this role or a higher one.
    orgRole?: OrgRole
    // The caller acts as that organization: the operation sees a caller of its account.
    actsAsOrganization?: true
    // The handler reads the body as it came, whatever its media type.
    readsOwnBody?: true
    // The body may come as the first part of a form, under this name, with files after it.
    filesAfter?: string
    // A missing body is read as {}.
    isBodyOptional?: boolean
    // Files of the console and the documentation: a page needs many of them, and they cost little, so the general rate
    // limit does not count them.
    isStaticFile?: true
    // A rate limit besides the general one: per account, or per client address where the route is public.
    rateLimit?: { name: string; perMinute: number }
    // For short secrets: answers with this problem are counted per address, and over the limit every request of these routes
    // is refused. Each request takes one and gives it back unless it is refused, so that a burst cannot get past the limit.
    refusalLimit?: { name: string; perMinute: number; problem: ProblemName }
    // A sender is told of refusals of this route in the usage of the account.
    countsRefusals?: true
    // The route is under /s/{token}. `shows`: what the slug in its path names, or the wall, or a list of what the link has.
    // `parameters`: the names of those in its query, with their values if it takes only some.
    onLink?: {
      shows: 'widgets' | 'activities' | 'wall' | 'list'
      parameters: Record<string, readonly string[] | undefined>
    }
    // The answer is the event stream.
    eventStream?: true
  }
}

export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

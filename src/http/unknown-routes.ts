// 405 with Allow for a path that exists with other methods, and 404 for any other; both before a body is read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems.ts'
import { excerpt } from '../contract/validation.ts'
import { nothingOnLink } from '../domain/permissions.ts'

// `hasEnding`: /widgets/:slug.png rather than /widgets/:slug, which fits the same paths.
type KnownPath = { pattern: RegExp; hasEnding: boolean; methods: Set<string> }

// Records routes as they are added. Returns the handler for requests without a route.
export function watchRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => never {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? {
      pattern: patternOf(url),
      hasEnding: /:\w+\.\w+$/.test(url),
      methods: new Set<string>(),
    }
    known.set(url, path)
    for (const one of [method].flat()) path.methods.add(one)
  })
  return (request, reply) => {
    const path = request.url.split('?')[0] as string
    const allow = methodsAt([...known.values()], path)
    if (allow === '') {
      // The path may hold the token of a screen link.
      if (path.startsWith('/s/')) throw nothingOnLink()
      throw new Problem('route.not_found', `There is nothing at ${request.method} ${excerpt(path)}.`)
    }
    reply.header('allow', allow)
    throw new Problem(
      'route.method_not_allowed',
      `${request.method} is not possible here; use ${allow.replaceAll(', ', ' or ')}.`,
    )
  }
}

function methodsAt(known: KnownPath[], path: string): string {
  const fitting = known.filter(({ pattern }) => pattern.test(path))
  const exact = fitting.filter(({ hasEnding }) => hasEnding)
  const methods = (exact.length > 0 ? exact : fitting).flatMap((one) => [...one.methods])
  return [...new Set(methods)].sort().join(', ')
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*'
    // A parameter may have an ending, as in :slug.txt.
    return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^:\w+/, '[^/]+')
  })
  return new RegExp(`^${parts.join('/')}$`)
}

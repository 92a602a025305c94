// Every route that a server registers, those that openapi.json hides and those of the doors included.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

export type RegisteredRoute = { method: string; url: string; bodyLimit?: number; takesBody: boolean; isDoor: boolean }

// Records the routes of servers that are made until `stop` is called.
export function recordRoutes(): { routes: RegisteredRoute[]; stop(): void } {
  const routes: RegisteredRoute[] = []
  const record = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void routes.push(...described(route)))
  }
  subscribe('fastify.initialization', record)
  return { routes, stop: () => unsubscribe('fastify.initialization', record) }
}

function described({ method, url, bodyLimit, schema, config }: RouteOptions): RegisteredRoute[] {
  const isDoor = config?.readsOwnBody === true
  return [method].flat().map((one) => ({
    method: one,
    url,
    bodyLimit,
    takesBody: schema?.body !== undefined || (isDoor && !['GET', 'HEAD', 'OPTIONS'].includes(one)),
    isDoor,
  }))
}

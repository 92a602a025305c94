// Where the doors are: host names at whose root one is, for senders that take a host and no path.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { AddedApp } from '../../contract/devices.ts'
import { FILE_ID_CHARS } from '../../domain/files.ts'
import type { Context } from '../../operations/context.ts'
import type { Config } from '../../runtime/settings.ts'
import { publicUrlFor } from '../public-url.ts'

// The address of an answer page has the host under which the app reached the server, unless a public URL is configured.
const ANSWER_PAGE = /^\/answers\/[\w-]{32,}(\/form)?(\?|$)/

const UPLOAD = new RegExp(`^/files/[A-Za-z0-9]{${FILE_ID_CHARS}}$`)

// An app that was subscribed by a link: such links take no path, and their topic is the password of the app.
const LINKED_TOPIC = /^\/[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\/(?:json|sse|raw|ws|auth)(?:\?|$)/

// Returns the function that puts the prefix of the door before the path of a request for such a host.
export function doorPrefixes({
  doors,
  ntfyHost,
  gotifyHost,
  barkHost,
}: Config): (request: IncomingMessage, path: string) => string {
  const prefixes = new Map<string, string>()
  if (ntfyHost && doors.includes('ntfy')) prefixes.set(ntfyHost, '/ntfy')
  if (gotifyHost && doors.includes('gotify')) prefixes.set(gotifyHost, '/gotify')
  if (barkHost && doors.includes('bark')) prefixes.set(barkHost, '/bark')
  return ({ method, headers }, path) => {
    if (ANSWER_PAGE.test(path)) return path
    // The addresses of uploads have the host under which the sender reached the server.
    if (method !== 'POST' && method !== 'PUT' && UPLOAD.test(path)) return path
    if (doors.includes('ntfy') && LINKED_TOPIC.test(path)) return `/ntfy${path}`
    const host = headers.host?.toLowerCase() ?? ''
    // A setting without a port is for every port.
    const prefix = prefixes.size === 0 ? '' : (prefixes.get(host) ?? prefixes.get(host.replace(/:\d+$/, '')) ?? '')
    return withoutDoubleSlashes(prefix + path)
  }
}

// People type the address of a server with a slash at its end, and apps add the path to it as it is.
const withoutDoubleSlashes = (path: string): string =>
  /^\/(ntfy|gotify|bark)\/([^?]*\/)?\//.test(path)
    ? path.replace(/^[^?]*/, (part) => part.replace(/\/{2,}/g, '/'))
    : path

// The address of a door, to be typed into an app.
export function doorUrlFor(ctx: Context, request: FastifyRequest, door: AddedApp): string {
  // The app keeps the path of an address; the host of the Bark door is for senders that take none.
  const host = { ntfy: ctx.config.ntfyHost, gotify: ctx.config.gotifyHost, bark: undefined }[door]
  const publicUrl = publicUrlFor(ctx, request)
  if (!host) return `${publicUrl}/${door}`
  const { protocol, port } = new URL(publicUrl)
  const isComplete = port === '' || /:\d+$/.test(host)
  return `${protocol}//${isComplete ? host : `${host}:${port}`}`
}

// Subscribes the ntfy app of Android with one tap. Undefined if the server is below a path, which such links cannot name.
export function ntfyLinkFor(ctx: Context, request: FastifyRequest, password: string): string | undefined {
  const { protocol, host, pathname } = new URL(publicUrlFor(ctx, request))
  if (pathname !== '/') return undefined
  return `ntfy://${host}/${password}?display=Heliograph${protocol === 'http:' ? '&secure=false' : ''}`
}

// The address of this server in links. Without a configured one, it is the address under which the client reaches it.
import type { FastifyRequest } from 'fastify'
import { Problem } from '../contract/problems.ts'
import type { FileId } from '../domain/files.ts'
import type { Context } from '../operations/context.ts'
import type { Config } from '../runtime/settings.ts'

// A name or an address, and a port. Docker allows underscores in names.
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

export function publicUrlFor({ config }: Context, { protocol, host }: FastifyRequest): string {
  if (config.publicUrl) return config.publicUrl
  // A request of HTTP/1.0 need not name a host.
  const name = host || 'localhost'
  if (!HOST.test(name)) {
    throw new Problem('request.header_invalid', 'The Host header must be a host name, with a port or none.')
  }
  return `${protocol}://${name}`
}

export const isServedOverHttps = ({ publicUrl }: Config): boolean => publicUrl?.startsWith('https:') ?? false

export const fileUrl = (ctx: Context, request: FastifyRequest, id: FileId): string =>
  `${publicUrlFor(ctx, request)}/files/${id}`

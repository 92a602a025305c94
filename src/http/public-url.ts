// The address of this server in links. Without a configured one, it is the address under which the client reaches it.
import type { FastifyRequest } from 'fastify'
import type { Context } from '../operations/context.ts'

export const publicUrlFor = ({ config }: Context, { protocol, host }: FastifyRequest): string =>
  config.publicUrl ?? `${protocol}://${host}`

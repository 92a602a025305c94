// The address of this server in links. Without a configured one, it is the address under which the client reaches it.
import type { FastifyRequest } from 'fastify'
import type { FileId } from '../domain/files/file.ts'
import type { Context } from '../operations/context.ts'

export const publicUrlFor = ({ config }: Context, { protocol, host }: FastifyRequest): string =>
  config.publicUrl ?? `${protocol}://${host}`

export const fileUrl = (ctx: Context, request: FastifyRequest, id: FileId): string =>
  `${publicUrlFor(ctx, request)}/files/${id}`

// Reads a request to a hook as it came.
import { Buffer } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import type { HookRequest } from '../../../domain/doors/hooks/request.ts'
import { bodyOf } from '../../request-body.ts'

export async function readHookRequest(request: FastifyRequest): Promise<HookRequest> {
  const { method, url, headers } = request
  const start = url.indexOf('?')
  return {
    method,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
    ),
    query: start === -1 ? '' : url.slice(start + 1),
    body: await bodyOf(request),
  }
}

// Fastify reads no body of a GET. Destroying the request would end the connection before the response.
export async function bodyOfGet({ raw }: FastifyRequest): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of raw.iterator({ destroyOnReturn: false })) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes <= LIMITS.request.maxBodyBytes) continue
    throw new Problem('request.too_large', `The body must have at most ${LIMITS.request.maxBodyBytes} bytes.`)
  }
  return Buffer.concat(pieces)
}

// Reads a request to a hook as it came.
import type { FastifyRequest } from 'fastify'
import type { HookRequest } from '../../../domain/hooks/request.ts'
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

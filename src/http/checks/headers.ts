// Refuses ambiguous headers, and drops those that describe a body that is not there.
import type { FastifyContextConfig, FastifyRequest, FastifySchema } from 'fastify'
import { Problem } from '../../contract/problems.ts'

// Names and values. Node silently drops headers beyond this number, which could hide a second Host or Authorization.
const MOST_RAW_HEADERS = 2000

// Node keeps the first of two Host or Authorization headers; a proxy in front may have checked the second.
export function refuseAmbiguousHeaders({ raw }: FastifyRequest): void {
  const { rawHeaders } = raw
  if (rawHeaders.length >= MOST_RAW_HEADERS) {
    throw new Problem('request.headers_too_large', `A request has fewer than ${MOST_RAW_HEADERS / 2} headers.`)
  }
  let hosts = 0
  let authorizations = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++
  }
  const hostless = hosts === 0 && raw.httpVersion === '1.1'
  if (hosts > 1 || authorizations > 1 || hostless) {
    const name = authorizations > 1 ? 'Authorization' : 'Host'
    throw new Problem('request.header_invalid', `Send the ${name} header once.`)
  }
}

export const hasBody = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

// Ignores Content-Type and Content-Encoding if there is no body or the route takes none.
export function dropContentTypeWithoutBody(
  request: FastifyRequest,
  { schema, config }: { schema?: FastifySchema; config: FastifyContextConfig },
): void {
  if (hasBody(request) && (schema?.body || config.readsOwnBody)) return
  const { headers } = request.raw
  delete headers['content-type']
  delete headers['content-encoding']
}

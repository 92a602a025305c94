// Documents that are the same for everybody, such as the description of the API: made, compressed and hashed once, when
// they are first asked for, and compressed outside of the event loop.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Encoding = 'br' | 'gzip'
type Document = { etag: string; plain: Buffer; compressed: Record<Encoding, Buffer> }

export type DocumentOptions = { type: string; caching: string; make: () => Promise<string | Buffer> }

export function sharedDocument({ type, caching, make }: DocumentOptions) {
  const load = once(async () => prepare(Buffer.from(await make())))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { etag, plain, compressed } = await load()
    reply.headers({ 'cache-control': caching, vary: 'accept-encoding', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    reply.type(type)
    const encoding = acceptedEncoding(request)
    if (!encoding) return reply.send(plain)
    return reply.header('content-encoding', encoding).send(compressed[encoding])
  }
}

async function prepare(plain: Buffer): Promise<Document> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain, BROTLI), promisify(gzip)(plain)])
  // Weak: the same for every encoding.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { etag, plain, compressed: { br, gzip: gzipped } }
}

// The default, 11, takes ten times as long for a tenth less.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

// Requests that arrive meanwhile share the work. One that failed, such as the reading of a file, is tried again.
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().catch((error) => {
      running = undefined
      throw error
    })
    return running
  }
}

function acceptedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '').split(',')
  const accepts = (name: Encoding) =>
    accepted.some((one) => new RegExp(`^\\s*${name}\\s*(?:;(?!\\s*q=0(?:\\.0*)?\\s*$)|$)`, 'i').test(one))
  return (['br', 'gzip'] as const).find(accepts)
}

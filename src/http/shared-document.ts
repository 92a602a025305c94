// Documents that are the same for every client: kept in memory with their compressed variants, and sent with an ETag.
// The ETag is a hash of the content, so all nodes of an installation agree on it.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const ENCODINGS = ['br', 'gzip'] as const
type Encoding = (typeof ENCODINGS)[number]
export type Variants = { plain: Buffer } & Partial<Record<Encoding, Buffer>>

export type DocumentOptions = {
  headers: Record<string, string>
  // Called at the first request: most servers are never asked for most documents.
  load: () => Promise<Variants>
}

export function sharedDocument({ headers, load }: DocumentOptions) {
  const document = once(async () => withEtag(await load()))
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { etag, variants } = await document()
    reply.headers({ ...headers, vary: 'accept-encoding', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).removeHeader('content-type').send()
    const encoding = ENCODINGS.find((one) => variants[one] && accepts(request, one))
    if (!encoding) return reply.send(variants.plain)
    return reply.header('content-encoding', encoding).send(variants[encoding])
  }
}

// zlib compresses in a thread of its own, so the event loop goes on.
export async function compressed(plain: Buffer): Promise<Variants> {
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(plain, BROTLI), promisify(gzip)(plain)])
  return { plain, br, gzip: gzipped }
}

// Quality 11, the default, takes ten times as long for a tenth less.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

// Reads a file with the variants that the build put beside it, as `file.br` and `file.gz`.
export async function readVariants(file: string): Promise<Variants> {
  const [plain, br, gzipped] = await Promise.all([readFile(file), readIfThere(`${file}.br`), readIfThere(`${file}.gz`)])
  return { plain, br, gzip: gzipped }
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

// Weak, because all encodings share it.
function withEtag(variants: Variants) {
  const hash = createHash('sha256').update(variants.plain).digest('base64url')
  return { etag: `W/"${hash.slice(0, 22)}"`, variants }
}

// Memoizes the promise, so that concurrent requests share the work. A failure is not kept.
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().catch((error) => {
      running = undefined
      throw error
    })
    return running
  }
}

function accepts({ headers }: FastifyRequest, encoding: Encoding): boolean {
  const pattern = new RegExp(`^\\s*${encoding}\\s*(?:;(?!\\s*q=0(?:\\.0*)?\\s*$)|$)`, 'i')
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => pattern.test(one))
}

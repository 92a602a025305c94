// GET /files/{id}: files that senders uploaded, for everybody who has the link.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../contract/problems.ts'
import { type ByteRange, isImage, type StoredFile } from '../../domain/files.ts'
import type { Context } from '../../operations/context.ts'
import { findFile, readContent } from '../../operations/files/retention.ts'
import { route, table } from '../route.ts'

const FileParams = Type.Object({ file_id: Type.String({ description: 'The end of the link in the notification.' }) })

const BYTES = { content: { 'application/octet-stream': { schema: Type.String() } } }

export const fileRoutes = (ctx: Context) =>
  table({ tag: 'System' }, [
    route('GET /files/:file_id', {
      id: 'getFile',
      summary: 'Read a file that was sent through a door',
      description:
        'Needs no token: the link is the permission. Files are deleted a day after they were sent. A Range header with one range is answered with 206.',
      access: 'public',
      compress: false,
      params: FileParams,
      ok: BYTES,
      partial: BYTES,
      problems: ['file.not_found', 'file.range_invalid'],
      handle: async ({ params, request, reply }) => {
        const file = await findFile(ctx, params.file_id)
        const range = setHeaders(reply, file, request)
        // Fastify would read the whole file to answer a HEAD request.
        const content = request.method === 'HEAD' ? [] : readContent(ctx, file, range)
        return reply.send(Readable.from(content, { objectMode: false }))
      },
    }),
  ])

function setHeaders(reply: FastifyReply, file: StoredFile, { headers }: FastifyRequest): ByteRange {
  const { bytes, type } = file
  reply.headers({
    'content-type': type,
    'content-disposition': dispositionOf(file),
    // A file opened as a page would run with the origin of this server.
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, max-age=3600',
    'accept-ranges': 'bytes',
  })
  const range = readRange(headers.range, bytes)
  if (range === 'invalid') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new Problem('file.range_invalid', `The file has ${bytes} bytes.`)
  }
  const { start, end } = range ?? { start: 0, end: bytes }
  reply.header('content-length', end - start)
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${bytes}`)
  return { start, end }
}

// The name for old clients in ASCII, and for others in UTF-8 (RFC 6266).
function dispositionOf({ name, type }: StoredFile): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `${isImage(type) ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

// Undefined for the whole file, also if there are several ranges or the header is malformed, as RFC 9110 allows.
function readRange(header: string | undefined, bytes: number): ByteRange | 'invalid' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  const range =
    first === ''
      ? { start: Math.max(bytes - Number(last), 0), end: bytes }
      : { start: Number(first), end: Math.min(last === '' ? bytes : Number(last) + 1, bytes) }
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return range.start < range.end ? range : 'invalid'
}

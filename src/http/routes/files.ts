// Files: senders upload and delete them, and everybody who has the link reads them.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { FileParams, FileView, UploadQuery } from '../../contract/files.ts'
import { Problem } from '../../contract/problems.ts'
import { type ByteRange, isImage, type StoredFile } from '../../domain/files.ts'
import type { Context } from '../../operations/context.ts'
import { keepFile, keepSecondsOf, removeFile } from '../../operations/files/keep.ts'
import { findFile, readContent } from '../../operations/files/retention.ts'
import { fileView } from '../../views/files.ts'
import { fileUrl } from '../public-url.ts'
import { piecesOf } from '../request-body.ts'
import { route, table } from '../route.ts'

const toSend = { resource: 'notifications', level: 'send' } as const

const BYTES = { content: { 'application/octet-stream': { schema: Type.String() } } }

export const fileRoutes = (ctx: Context) =>
  table({ tag: 'Files' }, [
    route('POST /files', {
      id: 'uploadFile',
      summary: 'Upload a file, to attach it to a notification',
      description:
        'The body is the file as it is; Content-Type is ignored, because the type is read from the content. Everybody who has the link of the answer may read the file.',
      access: toSend,
      readsOwnBody: true,
      organization: true,
      query: UploadQuery,
      created: FileView,
      problems: [
        'request.body_required',
        'file.too_large',
        'file.limit_exceeded',
        'file.not_enabled',
        'service.unavailable',
      ],
      handle: async ({ caller, query, request }) => {
        const { body, headers } = request
        if (body === undefined) throw new Problem('request.body_required', 'Send the file as the body of the request.')
        const announced = headers['content-encoding'] === undefined ? headers['content-length'] : undefined
        const file = await keepFile(ctx, caller, {
          name: query.name,
          bytes: announced === undefined ? undefined : Number(announced),
          keepSeconds: keepSecondsOf(ctx, caller, query.keep_days),
          content: piecesOf(request),
        })
        return fileView(file, fileUrl(ctx, request, file.id))
      },
    }),

    route('DELETE /files/:file_id', {
      id: 'deleteFile',
      summary: 'Delete an uploaded file',
      description: 'A key deletes the files that it uploaded itself. Notifications keep the link, which leads nowhere.',
      access: toSend,
      organization: true,
      params: FileParams,
      problems: ['file.not_found'],
      handle: ({ caller, params }) => removeFile(ctx, caller, params.file_id),
    }),

    route('GET /files/:file_id', {
      id: 'getFile',
      summary: 'Read a file that was uploaded',
      description: 'Needs no token: the link is the permission. A Range header with one range is answered with 206.',
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

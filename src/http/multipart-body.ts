// multipart/form-data on our own routes: the first part is the JSON that the route takes, and files follow. The JSON is parsed
// and checked like any other body; the handler reads the files after it.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../contract/limits.ts'
import { Problem } from '../contract/problems.ts'
import { boundaryOf, collect, type Part, type Pieces, readParts } from '../domain/doors/multipart.ts'
import type { Context } from '../operations/context.ts'
import { mostFileBytes, type Upload } from '../operations/files/keep.ts'
import { clientAddress } from './connections/client-address.ts'
import { parseJson, unsupportedMediaType } from './json-body.ts'
import { parsePieces } from './request-body.ts'

export function registerMultipartParser(app: FastifyInstance, ctx: Context): void {
  app.decorateRequest('uploads', undefined)
  parsePieces(app, 'multipart/form-data', async (request, pieces) => {
    const { filesAfter } = request.routeOptions.config
    if (filesAfter === undefined) throw unsupportedMediaType(request)
    return openForm(ctx, request, pieces, filesAfter)
  })
}

async function openForm(ctx: Context, request: FastifyRequest, pieces: Pieces, first: string): Promise<unknown> {
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === undefined) throw new Problem('request.body_invalid', 'The media type names no boundary.')
  const { maxBodyBytes } = LIMITS.request
  const mostBytes = LIMITS.file.maxPerNotification * mostFileBytes(ctx) + maxBodyBytes
  const parts = readParts(pieces, boundary, mostBytes)[Symbol.asyncIterator]()
  const { value } = (await parts.next()) as { value: Part | undefined }
  if (value?.name !== first) throw new Problem('request.body_invalid', `The first part of the form must be "${first}".`)
  const json = await collect(value.content, maxBodyBytes)
  if (!isUtf8(json)) throw new Problem('request.body_invalid', 'The body is not valid UTF-8.')
  request.uploads = uploadsIn(parts)
  return ctx.slices(clientAddress(request), () => parseJson(json.toString()))
}

async function* uploadsIn(parts: AsyncIterator<Part>): AsyncIterable<Upload> {
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    const { name, fileName, content } = part.value
    if (name !== 'file') throw new Problem('request.body_invalid', 'Every part after the first must be named "file".')
    yield { name: fileName, content }
  }
}

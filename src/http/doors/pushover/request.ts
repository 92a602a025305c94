// Reads requests of Pushover's senders: fields in the query, in a form, in multipart or as JSON, and the picture beside them.
import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import type { Caller } from '../../../domain/caller.ts'
import { isForm, readEncodedFields } from '../../../domain/doors/forms.ts'
import { boundaryOf, collect, type Part, readParts } from '../../../domain/doors/multipart.ts'
import type { PushoverFields } from '../../../domain/doors/pushover/message.ts'
import type { Context } from '../../../operations/context.ts'
import { authenticateAtDoor } from '../../../operations/doors/authenticate.ts'
import { mostFileBytes, type Upload } from '../../../operations/files/keep.ts'
import { clientAddress } from '../../connections/client-address.ts'
import { parseJson } from '../../json-body.ts'
import { bodyOf, piecesOf } from '../../request-body.ts'
import { credentialsReader, queryText } from '../reading.ts'

export const findCaller = (ctx: Context, request: FastifyRequest, fields: PushoverFields): Promise<Caller> =>
  authenticateAtDoor(ctx, 'pushover', fields.get('token') ?? '', credentialsReader(request))

// Called while the body is read, with the fields so far. It reads the content.
type TakeAttachment = (attachment: Upload, fields: PushoverFields) => Promise<void>

const MOST_BYTES = LIMITS.request.maxBodyBytes
// A field beside a file. All of them together have at most the bytes of any other body.
const MOST_FIELD_BYTES = 64 * 1024

export async function readFields(
  ctx: Context,
  request: FastifyRequest,
  take?: TakeAttachment,
): Promise<PushoverFields> {
  const fields = new Map(readEncodedFields(queryText(request)))
  const type = request.headers['content-type'] ?? ''
  const boundary = boundaryOf(type)
  if (boundary === undefined) {
    const isLarge = request.body instanceof Readable
    const body = await bodyOf(request)
    // It waits for a slice, as at our own routes.
    const inBody = isLarge
      ? await ctx.slices(clientAddress(request), () => parseFields(type, body))
      : parseFields(type, body)
    for (const [name, value] of inBody) fields.set(name, value)
  } else {
    const parts = readParts(piecesOf(request), boundary, mostFileBytes(ctx) + MOST_BYTES)
    await readMultipart(parts, fields, take)
  }
  const base64 = fields.get('attachment_base64')
  if (base64) await takeBase64(base64, fields, take)
  return fields
}

function parseFields(type: string, body: Buffer): [name: string, value: string][] {
  if (/\bjson\b/i.test(type)) return jsonFields(body)
  return isForm(type) || type === '' ? readEncodedFields(body.toString()) : []
}

async function readMultipart(
  parts: AsyncIterable<Part>,
  fields: Map<string, string>,
  take: TakeAttachment | undefined,
): Promise<void> {
  let leftBytes = MOST_BYTES
  for await (const { name, fileName, content } of parts) {
    if (name === 'attachment') {
      await take?.({ name: fileName, content }, fields)
      continue
    }
    const value = await collect(content, Math.min(MOST_FIELD_BYTES, leftBytes))
    leftBytes -= value.length
    fields.set(name, value.toString())
  }
}

// A picture in base64 is within the bounds of any other body.
async function takeBase64(base64: string, fields: Map<string, string>, take?: TakeAttachment): Promise<void> {
  fields.delete('attachment_base64')
  const picture = Buffer.from(base64, 'base64')
  await take?.({ bytes: picture.length, content: [picture] }, fields)
}

function jsonFields(body: Buffer): [string, string][] {
  const value = parseJson(body.toString() || '{}')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('request.body_invalid', 'the body must be a JSON object')
  }
  const isScalar = ([, member]: [string, unknown]) => ['string', 'number', 'boolean'].includes(typeof member)
  return Object.entries(value)
    .filter(isScalar)
    .map(([name, member]) => [name, String(member)])
}

// Reads requests of Pushover's senders: fields in the query, in a form, in multipart or as JSON, and the picture beside them.
import { Buffer } from 'node:buffer'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { Problem } from '../../../contract/problems.ts'
import { isForm, readEncodedFields } from '../../../domain/doors/forms.ts'
import { boundaryOf, collect, type Pieces, readParts } from '../../../domain/doors/multipart.ts'
import type { PushoverFields } from '../../../domain/doors/pushover/message.ts'
import type { Context } from '../../../operations/context.ts'
import type { Upload } from '../../../operations/files/keep.ts'
import { clientAddress } from '../../connections/client-address.ts'
import { parseJson } from '../../json-body.ts'
import { bodyOf } from '../door.ts'
import { queryOf } from '../reading.ts'

// Called while the body is read, with the fields so far. It reads the content.
type TakeAttachment = (attachment: Upload, fields: PushoverFields) => Promise<void>

const MOST_BYTES = LIMITS.request.maxBodyBytes
// Fields beside a file.
const MOST_FIELD_BYTES = 64 * 1024

export async function readFields(
  ctx: Context,
  request: FastifyRequest,
  take?: TakeAttachment,
): Promise<PushoverFields> {
  const fields = new Map<string, string>(queryOf(request))
  const { body, headers } = request
  const type = headers['content-type'] ?? ''
  const boundary = boundaryOf(type)
  const pieces = body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : [bodyOf(request)]
  if (boundary !== undefined) {
    await readMultipart(pieces, boundary, fields, take)
    return fields
  }
  const whole = await collect(pieces, MOST_BYTES)
  const read = () => parseFields(type, whole)
  // A large body waits for a slice, as at our own routes.
  for (const [name, value] of Buffer.isBuffer(body) ? read() : await ctx.slices(clientAddress(request), read)) {
    fields.set(name, value)
  }
  await takeBase64(fields, take)
  return fields
}

function parseFields(type: string, body: Buffer): [name: string, value: string][] {
  if (/\bjson\b/i.test(type)) return jsonFields(body)
  return isForm(type) || type === '' ? readEncodedFields(body.toString()) : []
}

async function readMultipart(
  body: Pieces,
  boundary: string,
  fields: Map<string, string>,
  take: TakeAttachment | undefined,
): Promise<void> {
  for await (const { name, fileName, content } of readParts(body, boundary)) {
    if (name === 'attachment') await take?.({ name: fileName, content }, fields)
    else fields.set(name, (await collect(content, MOST_FIELD_BYTES)).toString())
  }
  await takeBase64(fields, take)
}

// A picture in base64 is within the bounds of any other body.
async function takeBase64(fields: Map<string, string>, take: TakeAttachment | undefined): Promise<void> {
  const base64 = fields.get('attachment_base64')
  if (!base64) return
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

// A file that a sender uploaded, for a message or with one. Everybody who knows its id may read it, so the id is a secret.
import { type Buffer, isUtf8 } from 'node:buffer'
import { LIMITS } from '../contract/limits.ts'
import type { KeyId, UserId } from './caller.ts'
import type { Instant } from './instant.ts'
import { storableText } from './text.ts'

export type FileId = string & { readonly of: 'file' }
export type StoredFile = {
  id: FileId
  userId: UserId
  // Of the key that uploaded it.
  keyId: KeyId | null
  name: string
  type: FileType
  bytes: number
  createdAt: Instant
  expiresAt: Instant
}

// Of a notification. `id`: of an uploaded file; without one it is a link to a file elsewhere.
export type Attachment = {
  id?: FileId
  url: string
  name: string
  type: string
  bytes?: number
  expiresAt?: Instant
}

// `end` is the byte after the last one.
export type ByteRange = { start: number; end: number }

export const FILE_ID_CHARS = 32
const ID = new RegExp(`^[A-Za-z0-9]{${FILE_ID_CHARS}}$`)

// Where the content of files is. A content exists only while there is a row of the file: the row is written first.
export type FileContents = {
  write(id: FileId, content: AsyncIterable<Buffer>): Promise<void>
  read(id: FileId, range: ByteRange): AsyncIterable<Buffer>
  remove(ids: FileId[]): Promise<void>
  // The ids of contents that would outlive the rows of their files.
  listBatches(): AsyncIterable<FileId[]>
}

export const isFileId = (text: string): text is FileId => ID.test(text)

// The last part of a path, without characters that a file name or a header cannot have.
export function fileName(given: string | undefined, type: FileType): string {
  const last = storableText(given ?? '').replace(/^.*[\\/]/s, '')
  const name = last.replace(/\p{Cc}+/gu, ' ').trim()
  if (name === '' || /^\.+$/.test(name)) return `attachment${EXTENSIONS[type]}`
  return [...name].slice(0, LIMITS.file.maxNameChars).join('')
}

// The media type of a file by its first bytes. What a sender says about the type is not believed: a page that calls itself a
// picture would be shown by browsers under the address of this server.
export const EXTENSIONS = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'video/mp4': '.mp4',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'application/gzip': '.gz',
  'text/plain; charset=utf-8': '.txt',
  'application/octet-stream': '.bin',
} as const satisfies Record<string, string>

export type FileType = keyof typeof EXTENSIONS

export const isImage = (type: string): boolean => type.startsWith('image/')

// `offset`: where the bytes are that tell the type.
type Signature = { type: FileType; offset: number; bytes: string }

const SIGNATURES: Signature[] = [
  { type: 'image/png', offset: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', offset: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', offset: 0, bytes: 'GIF87a' },
  { type: 'image/gif', offset: 0, bytes: 'GIF89a' },
  { type: 'image/webp', offset: 8, bytes: 'WEBP' },
  { type: 'image/avif', offset: 4, bytes: 'ftypavif' },
  { type: 'video/mp4', offset: 4, bytes: 'ftyp' },
  { type: 'application/pdf', offset: 0, bytes: '%PDF-' },
  { type: 'application/zip', offset: 0, bytes: 'PK\x03\x04' },
  { type: 'application/gzip', offset: 0, bytes: '\x1f\x8b' },
]

export const TYPE_BYTES = 512

// `start`: the first TYPE_BYTES of the file, or all of it.
export function fileTypeOf(start: Buffer): FileType {
  const found = SIGNATURES.find(
    ({ offset, bytes }) => start.toString('latin1', offset, offset + bytes.length) === bytes,
  )
  return found?.type ?? (isText(start) ? 'text/plain; charset=utf-8' : 'application/octet-stream')
}

// The last character may be cut in two.
function isText(start: Buffer): boolean {
  const ends = start.length < TYPE_BYTES ? [0] : [0, 1, 2, 3]
  return !start.includes(0) && ends.some((cut) => isUtf8(start.subarray(0, start.length - cut)))
}

// A file that a sender uploaded with a message. Everybody who knows its id may read it, so the id is a secret.
import { LIMITS } from '../../contract/limits.ts'
import type { UserId } from '../caller.ts'
import type { Instant } from '../instant.ts'
import { storableText } from '../text.ts'
import { EXTENSIONS, type FileType } from './file-type.ts'

export type FileId = string & { readonly of: 'file' }
export type StoredFile = {
  id: FileId
  userId: UserId
  name: string
  type: FileType
  bytes: number
  createdAt: Instant
  expiresAt: Instant
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

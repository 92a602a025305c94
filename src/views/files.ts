// Uploaded files and attachments as clients see them.
import type { AttachmentView, FileView } from '../contract/files.ts'
import type { Attachment, StoredFile } from '../domain/files.ts'
import { toRfc3339 } from '../domain/instant.ts'

export const fileView = ({ id, name, type, bytes, expiresAt }: StoredFile, url: string): FileView => ({
  id,
  url,
  name,
  type,
  bytes,
  expires_at: toRfc3339(expiresAt),
})

export const attachmentView = ({ id, url, name, type, bytes, expiresAt }: Attachment): AttachmentView => ({
  id,
  url,
  name,
  type,
  bytes,
  expires_at: expiresAt && toRfc3339(expiresAt),
})

// Files that senders upload, and attachments of notifications: uploaded files, or links to files elsewhere.
import { type Static, Type } from 'typebox'
import { closed, Text, Timestamp } from './fields.ts'
import { LIMITS } from './limits.ts'

const { maxNameChars, maxTypeChars } = LIMITS.file

export const FileParams = Type.Object({
  file_id: Type.String({ description: 'The id of the file, with which its link ends.' }),
})

// The bound of `keep_days` is a setting.
export const UploadQuery = Type.Object({
  name: Type.Optional(Text(maxNameChars, { description: 'the name under which it is downloaded' })),
  keep_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'days until it is deleted; 1 on a free plan and 7 on others if left out',
    }),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

export const FileView = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Everybody who has this link may read the file.' }),
    name: Type.String(),
    type: Type.String({ description: 'The media type, read from the content.' }),
    bytes: Type.Integer(),
    expires_at: Timestamp,
  },
  { title: 'File' },
)
export type FileView = Static<typeof FileView>

// domain/notifications/attachments.ts requires one of file_id and url.
export const AttachmentInput = Type.Object(
  {
    file_id: Type.Optional(Type.String({ description: 'an uploaded file that no other message has' })),
    url: Type.Optional(Text(LIMITS.url.maxChars, { description: 'https; instead of file_id' })),
    name: Type.Optional(Text(maxNameChars, { description: 'only with url' })),
    type: Type.Optional(Text(maxTypeChars, { description: 'the media type; only with url' })),
  },
  { ...closed, title: 'AttachmentInput' },
)
export type AttachmentInput = Static<typeof AttachmentInput>

export const AttachmentView = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Of an uploaded file.' })),
    url: Type.String(),
    name: Type.String(),
    type: Type.String(),
    bytes: Type.Optional(Type.Integer()),
    expires_at: Type.Optional(Timestamp),
  },
  { title: 'Attachment' },
)
export type AttachmentView = Static<typeof AttachmentView>

// Attachments of a notification: files that the sender uploaded, and links to files elsewhere.
import type { AttachmentInput } from '../../contract/files.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { inOneSentence } from '../../contract/validation.ts'
import { urlViolations } from '../action-rules.ts'
import { type Attachment, EXTENSIONS, type FileId, isImage, type StoredFile } from '../files.ts'
import { cutText } from '../text.ts'
import type { NotificationDraft } from './notification.ts'

export const attachmentOf = ({ id, name, type, bytes, expiresAt }: StoredFile, url: string): Attachment => ({
  id,
  url,
  name,
  type,
  bytes,
  expiresAt,
})

// One that is not uploaded here. Without a type, the end of its name tells it.
export function linkedAttachment({ url, name, type }: { url: string; name?: string; type?: string }): Attachment {
  const named = name || /\/([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^[a-z]+:\/\/[^/]*/i, ''))?.[1] || 'attachment'
  return { url, name: cutText(named, LIMITS.file.maxNameChars), type: type || typeByName(named) }
}

function typeByName(name: string): string {
  const extension = /\.\w+$/.exec(name)?.[0].toLowerCase().replace('.jpeg', '.jpg')
  const [type] = Object.entries(EXTENSIONS).find(([, one]) => one === extension) ?? []
  return type ?? 'application/octet-stream'
}

export const isPicture = ({ type }: Attachment): boolean => isImage(type)

// Those that banners do not show as their picture.
export const besideMedia = (attachments: Attachment[] = [], media: { url: string } | undefined): Attachment[] =>
  attachments.filter(({ url }) => url !== media?.url)

export function requireAttachable(given: AttachmentInput[]): void {
  const errors = given.flatMap((attachment, index) => violationsOf(`body.attachments[${index}]`, attachment))
  if (errors.length > 0) throw invalidAttachments(errors)
}

export const invalidAttachments = (errors: Violation[]): Problem =>
  new Problem('notification.invalid', inOneSentence(errors), { errors })

function violationsOf(location: string, { file_id, url, name, type }: AttachmentInput): Violation[] {
  if ((file_id === undefined) === (url === undefined)) return [{ location, message: 'must have either file_id or url' }]
  if (url === undefined) {
    const isBare = name === undefined && type === undefined
    return isBare ? [] : [{ location, message: 'must have name and type only beside url' }]
  }
  const violations = urlViolations(`${location}.url`, url)
  if (violations.length > 0 || /^https:/i.test(url)) return violations
  return [{ location: `${location}.url`, message: 'must use https:' }]
}

// The first picture is shown in banners, unless the sender names another.
export function attached(draft: NotificationDraft, attachments: Attachment[] = []): NotificationDraft {
  if (attachments.length === 0) return draft
  const picture = attachments.find(isPicture)
  return { ...draft, attachments, media: draft.media ?? (picture && { url: picture.url, type: 'image' }) }
}

export const fileIdsOf = (attachments: Attachment[] = []): FileId[] => attachments.flatMap(({ id }) => id ?? [])

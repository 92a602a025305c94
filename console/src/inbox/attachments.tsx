// Files of a notification: pictures are shown, others are links with their size and how long they are kept.
import type { AttachmentView } from '../../../src/contract/files.ts'
import './attachments.css'
import { TEXTS } from '../texts/base.ts'
import { byteSize } from '../ui/byte-size.ts'
import { Icon } from '../ui/icon.tsx'
import { shortMoment } from '../ui/time.tsx'
import type { DecryptedView } from './decryption.ts'

export function Attachments({ notification: { attachments = [], media_url } }: { notification: DecryptedView }) {
  // The first picture is the media of the notification.
  const pictures = attachments.filter(({ type, url }) => type.startsWith('image/') && url !== media_url)
  if (attachments.length === 0) return null
  return (
    <>
      {pictures.map(({ url, name }) => (
        <img key={url} class="media" src={url} alt={name} loading="lazy" referrerpolicy="no-referrer" />
      ))}
      <ul class="attachments" aria-label={TEXTS.detail.attachments}>
        {attachments.map((attachment) => (
          <Attachment key={attachment.url} attachment={attachment} />
        ))}
      </ul>
    </>
  )
}

function Attachment({ attachment: { url, name, bytes, expires_at } }: { attachment: AttachmentView }) {
  const facts = [
    bytes === undefined ? undefined : byteSize(bytes),
    expires_at && TEXTS.detail.attachedUntil(shortMoment(expires_at)),
  ].filter(Boolean)
  return (
    <li>
      <Icon name="file" size={18} />
      <a href={url} target="_blank" rel="noreferrer noopener">
        {name}
      </a>
      {facts.length > 0 && <span class="muted">{facts.join(', ')}</span>}
    </li>
  )
}

// Media of a notification.
import { useState } from 'preact/hooks'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { Linked } from '../ui/linked.tsx'
import type { DecryptedView } from './decryption.ts'

export function Media({ notification: { media_url: url, media_type: type, title } }: { notification: DecryptedView }) {
  const [isBroken, setBroken] = useState(false)
  if (!url) return null
  if (isBroken) {
    return (
      <p class="note">
        <Icon name="alert" size={18} />
        <span>
          {TEXTS.detail.noPicture} <Linked text={url} />
        </span>
      </p>
    )
  }
  if (type === 'image') {
    return (
      <img
        class="media"
        src={url}
        alt={title}
        loading="lazy"
        referrerpolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    )
  }
  // biome-ignore lint/a11y/useMediaCaption: the sender provides no captions.
  if (type === 'video') return <video class="media" src={url} controls preload="metadata" />
  // biome-ignore lint/a11y/useMediaCaption: as above.
  return <audio class="media" src={url} controls preload="none" />
}

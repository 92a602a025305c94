// Avatar of a sender: its icon, or the first letter of its name on a colour derived from the name.
import { useState } from 'preact/hooks'

const HUES = 12

export function Avatar({ name, iconUrl, size = 36 }: { name: string; iconUrl?: string; size?: number }) {
  const [failed, setFailed] = useState<string>()
  if (iconUrl && failed !== iconUrl) {
    return (
      <img
        class="avatar"
        src={iconUrl}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        referrerpolicy="no-referrer"
        onError={() => setFailed(iconUrl)}
      />
    )
  }
  const [letter = '?'] = name.trim().toUpperCase()
  return (
    <span class={`avatar avatar-letter hue-${hueOf(name)}`} data-size={size} aria-hidden="true">
      {letter}
    </span>
  )
}

function hueOf(name: string): number {
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973
  return sum % HUES
}

// The notification that a message for Bark becomes. Phones with the Bark app get it back in its own words.
import { LIMITS } from '../../../contract/limits.ts'
import type { IncomingNotification, NotificationDraft } from '../../notifications/notification.ts'
import { soundFromBark } from '../../notifications/sounds.ts'
import { cutText } from '../../text.ts'
import { barkCollapseId } from '../tag.ts'
import { imageOf, linkOf } from '../urls.ts'
import { type BarkParameters, EMPTY_MESSAGE } from './parameters.ts'

// All messages of a key are in one channel, in which `id` names one.
export const BARK_CHANNEL = 'bark'

const ENCRYPTED = { title: 'Encrypted notification', body: 'Open it in the Bark app, which has the key.' }

// `keyName`: the title of a message without one.
export function fromBark(parameters: BarkParameters, keyName: string): IncomingNotification {
  const { subtitle, group, icon, image, url, id } = parameters
  const level = levelOf(parameters.level)
  return {
    ...textsOf(parameters, keyName),
    subtitle: subtitle ? cutText(subtitle, LIMITS.notification.maxSubtitleChars) : undefined,
    level,
    volume: level === 'critical' ? volumeOf(parameters.volume) : undefined,
    sound: soundOf(parameters, level),
    source: group ? slugOf(group) : undefined,
    source_display_name: group ? cutText(group, LIMITS.notification.maxSourceDisplayNameChars) : undefined,
    thread_id: group ? cutText(`bark:${group}`, LIMITS.notification.maxThreadIdChars) : undefined,
    icon_url: linkOf(icon),
    media: imageOf(image),
    url: linkOf(url),
    collapse_id: id ? barkCollapseId(id) : undefined,
    door: { door: 'bark', channel: BARK_CHANNEL, sequence: id || undefined, message: parameters },
  }
}

function textsOf(
  { title, body, markdown, ciphertext }: BarkParameters,
  keyName: string,
): Pick<IncomingNotification, 'title' | 'body' | 'format'> {
  if (ciphertext) return ENCRYPTED
  const shown = { title: cutText(title?.trim() ? title : keyName, LIMITS.notification.maxTitleChars) }
  if (markdown?.trim())
    return { ...shown, body: cutText(markdown, LIMITS.notification.maxBodyChars), format: 'markdown' }
  const text = body?.trim() ? body : title?.trim() ? '…' : EMPTY_MESSAGE
  return { ...shown, body: cutText(text, LIMITS.notification.maxBodyChars) }
}

const LEVELS: Record<string, NotificationDraft['level']> = {
  passive: 'passive',
  active: 'active',
  timesensitive: 'time-sensitive',
  critical: 'critical',
}

const levelOf = (level = ''): NotificationDraft['level'] => LEVELS[level.toLowerCase()] ?? 'active'

const DEFAULT_VOLUME = 5

function volumeOf(text: string | undefined): number {
  const volume = text?.trim() ? Number(text) : DEFAULT_VOLUME
  return Number.isFinite(volume) ? Math.min(Math.max(volume, 0), 10) / 10 : DEFAULT_VOLUME / 10
}

// A critical alert is never silent.
function soundOf({ sound, call }: BarkParameters, level: NotificationDraft['level']): IncomingNotification['sound'] {
  const ours = soundFromBark(sound, call === '1')
  return ours === 'none' && level === 'critical' ? undefined : ours
}

const slugOf = (group: string): string | undefined =>
  cutText(
    group
      .slice(0, 4 * LIMITS.notification.maxSourceChars)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^-|-$/g, ''),
    LIMITS.notification.maxSourceChars,
  ) || undefined

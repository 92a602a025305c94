// URLs in messages of other services. Those that our rules refuse, such as javascript: in a link, are left out of the
// notification instead of refusing the message: the other service would have accepted it.
import { LIMITS } from '../../contract/limits.ts'
import type { NotificationInput } from '../../contract/notifications/notification.ts'
import { urlViolations } from '../action-rules.ts'

export function linkOf(url: unknown): string | undefined {
  if (typeof url !== 'string' || url === '' || url.length > LIMITS.url.maxChars) return undefined
  return urlViolations('url', url).length === 0 ? url : undefined
}

// Pictures are fetched over https only.
export function imageOf(url: unknown): NotificationInput['media'] {
  const link = linkOf(url)
  return link?.startsWith('https://') ? { url: link, type: 'image' } : undefined
}

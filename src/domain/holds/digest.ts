// The words of the digest: how many notifications quiet hours have held, and from where.
import { LIMITS } from '../../contract/limits.ts'
import type { IncomingNotification } from '../notifications/notification.ts'

// `source`: undefined for notifications without one.
export type HeldSource = { source: string | undefined; count: number }

const MOST_NAMED = 5

export function digestOf(held: readonly HeldSource[]): IncomingNotification {
  const count = held.reduce((sum, one) => sum + one.count, 0)
  return {
    title: count === 1 ? '1 message during quiet hours' : `${count} messages during quiet hours`,
    body: sourcesText(held).slice(0, LIMITS.notification.maxBodyChars),
    source: 'quiet-hours',
    source_display_name: 'Quiet hours',
    collapse_id: 'quiet-hours-digest',
  }
}

// Sources beyond the first, and those without a name, are added up as "others".
function sourcesText(held: readonly HeldSource[]): string {
  const named = held.filter(({ source }) => source !== undefined).slice(0, MOST_NAMED)
  const others = held.filter((one) => !named.includes(one)).reduce((sum, { count }) => sum + count, 0)
  const texts = named.map(({ source, count }) => `${source} (${count})`)
  if (others > 0) texts.push(named.length === 0 ? 'without a source' : `others (${others})`)
  return texts.join(', ')
}

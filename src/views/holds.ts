// Quiet hours as clients see them.
import type { MuteView, QuietHoursView } from '../contract/holds.ts'
import type { Mute } from '../domain/holds/hold.ts'
import type { ShownQuietHours } from '../domain/holds/quiet-hours.ts'
import { toRfc3339 } from '../domain/instant.ts'

export const quietHoursView = (hours: ShownQuietHours): QuietHoursView => ({
  timezone: hours.timezone,
  windows: [...hours.windows],
  passes: hours.passes,
  digest: hours.digest,
  until: hours.until === null ? undefined : toRfc3339(hours.until),
  quiet_until: hours.quietUntil && toRfc3339(hours.quietUntil),
})

// A mute as clients see it.
export const muteView = ({ id, kind, value, until, createdAt }: Mute): MuteView => ({
  id,
  [kind]: value,
  until: toRfc3339(until),
  created_at: toRfc3339(createdAt),
})

// Quiet hours as clients see them.
import type { QuietHoursView } from '../contract/holds/quiet-hours.ts'
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

// Begins and ends "do not disturb until…". The page and the command palette use it.
import { api } from '../../api/client.ts'
import { attempt } from '../../state/toasts.ts'
import { QUIET_HOURS_TEXTS } from '../../texts/quiet-hours.ts'
import { shortMoment } from '../../ui/time.tsx'

const NOW = '/auth/me/quiet-hours/now'

// Returns true on success.
export const beQuietUntil = (until: Date): Promise<boolean> =>
  attempt(
    () => api.post(NOW, { until: until.toISOString() }),
    QUIET_HOURS_TEXTS.quietUntil(shortMoment(until.toISOString())),
  )

export const endQuiet = (): Promise<void> => api.delete(NOW)

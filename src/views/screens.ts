// A glance and a screen link as clients see them.
import type { ScreenView, ScreenWithToken } from '../contract/screens/links.ts'
import type { Glance } from '../contract/screens/texts.ts'
import { type Instant, toRfc3339 } from '../domain/instant.ts'
import type { DisplayReport } from '../domain/screens/display.ts'
import type { ScreenGlance } from '../domain/screens/glance.ts'
import type { LinkSecret, ScreenLink } from '../domain/screens/link.ts'

export function glanceView({ isStale, updatedAt, validUntil, ...glance }: ScreenGlance): Glance {
  return {
    ...glance,
    stale: isStale,
    updated_at: toRfc3339(updatedAt),
    ...(validUntil !== undefined && { valid_until: toRfc3339(validUntil) }),
  }
}

export const screenLinkView = (link: ScreenLink): ScreenView => ({
  id: link.id,
  kind: link.display ? 'trmnl' : 'link',
  name: link.name,
  widgets: link.widgetSlugs,
  activities: link.activitySlugs,
  wall: link.showsWall,
  theme: link.theme ?? undefined,
  lang: link.lang ?? undefined,
  time_zone: link.timeZone ?? undefined,
  taps: link.opensTaps ? 'open' : 'none',
  expires_at: rfc3339OrAbsent(link.expiresAt),
  every: link.display?.everySeconds,
  night: link.display?.night ?? undefined,
  device: link.report ? deviceView(link.report, link.log ?? []) : undefined,
  pairing_asked_at: rfc3339OrAbsent(link.pairingAskedAt),
  last_used_at: rfc3339OrAbsent(link.lastUsedAt),
  created_at: toRfc3339(link.createdAt),
})

const deviceView = ({ calledAt, batteryVolts, signalDbm, firmware, model }: DisplayReport, log: string[]) => ({
  called_at: toRfc3339(calledAt),
  battery_volts: batteryVolts,
  signal_dbm: signalDbm,
  firmware,
  model,
  log,
})

export const screenLinkWithTokenView = (
  { link, secret }: { link: ScreenLink; secret: LinkSecret },
  publicUrl: string,
): ScreenWithToken => ({
  ...screenLinkView(link),
  ...('code' in secret
    ? { server_url: `${publicUrl}/trmnl/p-${secret.code}` }
    : { token: secret.token, url: `${publicUrl}/s/${secret.token}` }),
})

const rfc3339OrAbsent = (at: Instant | null): string | undefined => (at === null ? undefined : toRfc3339(at))

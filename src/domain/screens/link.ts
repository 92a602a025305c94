// A screen link: what it shows, and how, until it is revoked or expires.
import type { LINK_THEMES, ScreenInput, ScreenPatch } from '../../contract/screens/links.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { UserId } from '../caller.ts'
import { fromRfc3339, type Instant } from '../instant.ts'
import { findTimeZone } from '../schedules/wall-clock.ts'

export type ScreenId = string & { readonly of: 'screen link' }

// What its owner chooses. Slugs or prefixes; an empty list is none.
export type LinkSettings = {
  name: string
  widgetSlugs: string[]
  activitySlugs: string[]
  showsWall: boolean
  theme: (typeof LINK_THEMES)[number] | null
  lang: string | null
  timeZone: string | null
  // A glance has the address that a tap opens.
  opensTaps: boolean
  expiresAt: Instant | null
}

export type ScreenLink = LinkSettings & {
  id: ScreenId
  userId: UserId
  lastUsedAt: Instant | null
  createdAt: Instant
}

const NOTHING: LinkSettings = {
  name: '',
  widgetSlugs: [],
  activitySlugs: [],
  showsWall: false,
  theme: null,
  lang: null,
  timeZone: null,
  opensTaps: false,
  expiresAt: null,
}

export const newLinkSettings = (input: ScreenInput, now: Instant): LinkSettings =>
  changedLinkSettings(NOTHING, input, now)

// A member that is absent stays, and null clears it.
export function changedLinkSettings(current: LinkSettings, patch: ScreenPatch, now: Instant): LinkSettings {
  const changed: LinkSettings = {
    name: patch.name ?? current.name,
    widgetSlugs: patch.widgets ? [...new Set(patch.widgets)] : current.widgetSlugs,
    activitySlugs: patch.activities ? [...new Set(patch.activities)] : current.activitySlugs,
    showsWall: patch.wall ?? current.showsWall,
    theme: patch.theme === undefined ? current.theme : patch.theme,
    lang: patch.lang === undefined ? current.lang : patch.lang,
    timeZone: patch.time_zone === undefined ? current.timeZone : patch.time_zone,
    opensTaps: patch.taps === undefined ? current.opensTaps : patch.taps === 'open',
    expiresAt: patch.expires_at === undefined ? current.expiresAt : instantOrNull(patch.expires_at),
  }
  if (changed.widgetSlugs.length + changed.activitySlugs.length === 0 && !changed.showsWall) {
    throw invalid('body', 'must have something to show: widgets, activities or wall')
  }
  if (changed.timeZone !== null && !findTimeZone(changed.timeZone)) {
    throw invalid('body.time_zone', 'must be a time zone such as Europe/Berlin')
  }
  if (patch.expires_at && changed.expiresAt !== null && changed.expiresAt <= now) {
    throw invalid('body.expires_at', 'must lie in the future')
  }
  return changed
}

const instantOrNull = (text: string | null): Instant | null => (text === null ? null : fromRfc3339(text))

const invalid = (location: string, message: string) => validationProblem([{ location, message }])

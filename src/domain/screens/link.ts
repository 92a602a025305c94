// A screen link: what it shows, and how, until it is revoked or expires.
import { LIMITS } from '../../contract/limits.ts'
import type { LINK_THEMES, ScreenInput, ScreenPatch } from '../../contract/screens/links.ts'
import { validationProblem } from '../../contract/validation.ts'
import type { UserId } from '../caller.ts'
import { fromRfc3339, type Instant } from '../instant.ts'
import { findTimeZone } from '../schedules/wall-clock.ts'
import type { Token } from '../token.ts'
import type { DisplayReport, DisplaySettings } from './display.ts'

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
  // Null for an address under /s/.
  display: DisplaySettings | null
}

// What the owner sees once: the token of a link, or the code in the address of a display.
export type LinkSecret = { token: Token } | { code: string }

export type ScreenLink = LinkSettings & {
  id: ScreenId
  userId: UserId
  // Of a display: what it said of itself, its last lines, and when it asked to register again.
  report: DisplayReport | null
  log: string[] | null
  pairingAskedAt: Instant | null
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
  display: null,
}

const NEW_DISPLAY: DisplaySettings = { everySeconds: LIMITS.display.everySeconds.usual, night: null }

export const newLinkSettings = ({ kind, ...input }: ScreenInput, now: Instant): LinkSettings =>
  changedLinkSettings({ ...NOTHING, display: kind === 'trmnl' ? NEW_DISPLAY : null }, input, now)

const ONLY_OF_LINKS = ['widgets', 'activities', 'wall', 'theme', 'taps', 'expires_at'] as const
const ONLY_OF_DISPLAYS = ['shows', 'every', 'night'] as const

// A member that is absent stays, and null clears it.
export function changedLinkSettings(current: LinkSettings, patch: ScreenPatch, now: Instant): LinkSettings {
  const wrong = (current.display ? ONLY_OF_LINKS : ONLY_OF_DISPLAYS).find((member) => patch[member] !== undefined)
  if (wrong) throw invalid(`body.${wrong}`, `is not a member of kind ${current.display ? 'trmnl' : 'link'}`)
  const { shows, every, night } = patch
  if (shows && Object.keys(shows).length !== 1) throw invalid('body.shows', 'must have either wall or widgets')
  if (night && night.from === night.to) throw invalid('body.night', 'must not be the whole day')
  const chosen = shows ? { widgets: shows.widgets ?? [], wall: shows.wall ?? false } : patch
  const changed: LinkSettings = {
    name: patch.name ?? current.name,
    widgetSlugs: chosen.widgets ? [...new Set(chosen.widgets)] : current.widgetSlugs,
    activitySlugs: patch.activities ? [...new Set(patch.activities)] : current.activitySlugs,
    showsWall: chosen.wall ?? current.showsWall,
    theme: patch.theme === undefined ? current.theme : patch.theme,
    lang: patch.lang === undefined ? current.lang : patch.lang,
    timeZone: patch.time_zone === undefined ? current.timeZone : patch.time_zone,
    opensTaps: patch.taps === undefined ? current.opensTaps : patch.taps === 'open',
    expiresAt: patch.expires_at === undefined ? current.expiresAt : instantOrNull(patch.expires_at),
    display: current.display && {
      everySeconds: every ?? current.display.everySeconds,
      night: night === undefined ? current.display.night : night,
    },
  }
  if (changed.widgetSlugs.length + changed.activitySlugs.length === 0 && !changed.showsWall) {
    throw invalid('body', 'must have something to show: widgets, activities or wall; kind trmnl: shows')
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

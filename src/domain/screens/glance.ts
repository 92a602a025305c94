// A widget or an activity as one value with its name: what texts, status bars and small screens show.
import type { WidgetAction } from '../../contract/actions.ts'
import type { Activity } from '../activities/activity.ts'
import { type Instant, instant, toRfc3339 } from '../instant.ts'
import type { Widget } from '../widgets/widget.ts'
import type { ActivityContent } from './activity-content.ts'
import { activityGlance } from './activity-glance.ts'
import { ACTIVITY_LOOKS, accentOf, WIDGET_COLORS } from './looks.ts'
import { activityValidUntil, isStale, widgetValidUntil } from './validity.ts'
import type { Viewer } from './viewer.ts'
import { NO_DATA, WIDGET_GLANCES } from './widget-glance.ts'

export type ScreenGlance = {
  kind: 'widget' | 'activity'
  slug: string
  name: string
  label: string
  template: string
  text: string
  detail: string | undefined
  fraction: number | undefined
  severity: string | undefined
  color: string
  icon: string | undefined
  state: Activity['state'] | undefined
  isStale: boolean
  updatedAt: Instant
  // When the text changes without an update.
  validUntil: Instant | undefined
  // What a tap opens.
  tap: string | undefined
}

export function glanceAtWidget(widget: Widget, viewer: Viewer): ScreenGlance {
  const { content, slug, name, updatedAt, staleAfterSeconds } = widget
  const shown = { content, updated_at: toRfc3339(updatedAt), stale_after: staleAfterSeconds ?? undefined }
  const { text, detail, fraction } = WIDGET_GLANCES[content.template](content, viewer)
  return {
    kind: 'widget',
    slug,
    name,
    label: (content.template !== 'status' && content.label) || name,
    template: content.template,
    text,
    detail: detail ?? (content.subtitle || undefined),
    fraction,
    severity: content.severity || undefined,
    color: accentOf(content, WIDGET_COLORS[content.template]),
    icon: content.icon || undefined,
    state: undefined,
    isStale: isStale(shown, viewer.now),
    updatedAt,
    validUntil: instantOf(widgetValidUntil(shown, viewer.now)),
    tap: opened(content.tap_action, false),
  }
}

export function glanceAtActivity(activity: Activity, viewer: Viewer): ScreenGlance {
  const { slug, name, state, updatedAt } = activity
  // The rules of the template have checked the members that are read here.
  const content = activity.content as ActivityContent
  const look = ACTIVITY_LOOKS[content.template ?? 'generic']
  const { text, fraction } = activityGlance(content, viewer)
  const headline = content.template === 'media' ? content.media_title : content.state
  const message = (state === 'ended' && content.completion_message) || undefined
  const shown = message || text || headline || (state === 'ongoing' ? NO_DATA : viewer.words.states[state])
  const detail = [headline, content.subtitle].find((words) => words && words !== shown)
  return {
    kind: 'activity',
    slug,
    name,
    label: name,
    template: content.template ?? 'generic',
    text: shown,
    detail: detail || undefined,
    fraction,
    severity: content.template === 'alert' ? (content.severity ?? 'info') : undefined,
    color: accentOf(content, look.color),
    icon: content.icon || look.icon,
    state,
    isStale: false,
    updatedAt,
    validUntil: instantOf(activityValidUntil(content, viewer.now)),
    tap: content.url || opened(content.url_action, true),
  }
}

const instantOf = (at: number | undefined): Instant | undefined => (at === undefined ? undefined : instant(at))

// The address that an action opens; undefined if it calls it silently, because such an address may hold a secret.
// `isBrowserDefault`: an action with nothing but a web address opens it.
function opened(action: WidgetAction | undefined, isBrowserDefault: boolean): string | undefined {
  if (!action) return undefined
  const isWeb = /^https?:/i.test(action.url)
  const isBare = [action.method, action.headers, action.body].every((member) => member === undefined)
  const opens = action.foreground ?? (!isWeb || (isBrowserDefault && isBare))
  return opens ? action.url : undefined
}

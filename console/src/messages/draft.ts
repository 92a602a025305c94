// A message as it is composed: from a schedule that exists, and for the API.
import type {
  NotificationAction,
  NotificationInput,
  NotificationView,
} from '../../../src/contract/notifications/notification.ts'
import type { ScheduleInput, SchedulePatch, ScheduleView } from '../../../src/contract/schedules.ts'
import type { ApiRequest } from '../builder/draft.ts'
import { EVERYONE, fromTarget, type TargetDraft, toTarget } from '../organizations/target.ts'
import { isTimingComplete, newTiming, type Timing, timingOf, toTimingInput, type When } from '../schedules/timing.ts'
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { type Repetition, repetitionOf, toAcknowledge } from './repetition.ts'

export type ButtonDraft = {
  title: string
  // Empty: the server records the answer.
  url: string
  asksText: boolean
  isDestructive: boolean
  // Members without a field.
  kept: Partial<NotificationAction>
}

export type MessageDraft = {
  title: string
  body: string
  isMarkdown: boolean
  level: NotificationView['level']
  url: string
  pictureUrl: string
  // Those without a title are left out.
  buttons: ButtonDraft[]
  // Undefined: it is pushed once.
  repetition: Repetition | undefined
  isPushed: boolean
  timing: Timing
  target: TargetDraft
  // Members without a field.
  kept: NotificationInput
}

// A message of an organization shows its name; one of a person needs a source.
export const newDraft = (when: When, orgId?: string): MessageDraft => ({
  title: '',
  body: '',
  isMarkdown: false,
  level: 'active',
  url: '',
  pictureUrl: '',
  buttons: [],
  repetition: undefined,
  isPushed: true,
  timing: newTiming(when),
  target: EVERYONE,
  kept: orgId ? {} : { source: 'console', source_display_name: MESSAGE_TEXTS.source },
})

export const NEW_BUTTON: ButtonDraft = { title: '', url: '', asksText: false, isDestructive: false, kept: {} }

// Members of a schedule that are not part of the message.
const NOT_CONTENT = new Set([
  'id',
  'status',
  'send_at',
  'created_at',
  'recurrence',
  'occurrence',
  'last_sent_at',
  'notification_id',
  'sent_at',
  'delivery',
  'reason',
  'failure_reason',
  'canceled_at',
  'paused',
])

export function draftOf(schedule: ScheduleView): MessageDraft {
  const content: NotificationInput = Object.fromEntries(
    Object.entries(schedule).filter(([name]) => !NOT_CONTENT.has(name)),
  )
  const { title, body, format, level, url, actions, acknowledge, push, target, media, ...kept } = content
  const isPicture = media?.type === 'image'
  return {
    title: title ?? '',
    body: body ?? '',
    isMarkdown: format === 'markdown',
    level: level ?? 'active',
    url: url ?? '',
    pictureUrl: isPicture ? media.url : '',
    buttons: (actions ?? []).map(buttonOf),
    repetition: repetitionOf(acknowledge),
    isPushed: push !== false,
    timing: timingOf(schedule),
    target: fromTarget(target ?? {}),
    kept: media && !isPicture ? { ...kept, media } : kept,
  }
}

const buttonOf = ({ title, url, text_input, destructive, ...kept }: NotificationAction): ButtonDraft => ({
  title,
  url: url ?? '',
  asksText: text_input ?? false,
  isDestructive: destructive ?? false,
  kept,
})

export const isComplete = ({ title, body, timing }: MessageDraft): boolean =>
  title.trim() !== '' && body.trim() !== '' && isTimingComplete(timing)

export function toNotification(draft: MessageDraft): NotificationInput {
  const { isMarkdown, level, url, pictureUrl, repetition, isPushed, kept } = draft
  const actions = toActions(draft.buttons)
  const target = toTarget(draft.target)
  return {
    title: draft.title.trim(),
    body: draft.body.trim(),
    ...(isMarkdown && { format: 'markdown' }),
    ...(level !== 'active' && { level }),
    ...(url.trim() && { url: url.trim() }),
    ...(pictureUrl.trim() && { media: { url: pictureUrl.trim(), type: 'image' } }),
    ...(actions.length > 0 && { actions }),
    ...(repetition && { acknowledge: toAcknowledge(repetition) }),
    ...(!isPushed && { push: false }),
    ...(target && { target }),
    ...kept,
  }
}

function toActions(buttons: ButtonDraft[]): NotificationAction[] {
  const named = buttons.filter(({ title }) => title.trim() !== '')
  const taken = new Set(named.map(({ kept }) => kept.id))
  return named.map(({ title, url, asksText, isDestructive, kept }) => ({
    ...kept,
    id: kept.id ?? freeId(taken),
    title: title.trim(),
    ...(url.trim() && { url: url.trim() }),
    ...(asksText && { text_input: true }),
    ...(isDestructive && { destructive: true }),
  }))
}

function freeId(taken: Set<string | undefined>): string {
  for (let number = 1; ; number++) {
    const id = `button-${number}`
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

// The collections of the API that messages go to, and that of the policies they name.
export type MessagePlace = { sends: string; schedules: string; escalations: string }

export const PERSONAL: MessagePlace = {
  sends: '/notifications',
  schedules: '/notifications/scheduled',
  escalations: '/escalations',
}
export const placeOf = (orgId: string): MessagePlace => ({
  sends: `/orgs/${orgId}/notifications`,
  schedules: `/orgs/${orgId}/notifications/scheduled`,
  escalations: `/orgs/${orgId}/escalations`,
})

export function requestOf(draft: MessageDraft, { sends, schedules }: MessagePlace): ApiRequest {
  const timing = toTimingInput(draft.timing)
  const notification = toNotification(draft)
  return timing
    ? { method: 'POST', path: schedules, body: { ...notification, ...timing } }
    : { method: 'POST', path: sends, body: notification }
}

// Members of the form: those that the draft no longer has are removed from the schedule.
const FORM_MEMBERS = [
  'title',
  'body',
  'format',
  'level',
  'url',
  'media',
  'actions',
  'acknowledge',
  'push',
  'target',
  'recurrence',
] as const

// What the server takes for a member that is left out.
const DEFAULTS: Partial<Record<(typeof FORM_MEMBERS)[number], unknown>> = { level: 'active', push: true }

// Undefined if nothing has changed.
export function patchOf(schedule: ScheduleView, draft: MessageDraft): SchedulePatch | undefined {
  const wanted: ScheduleInput = { ...toNotification(draft), ...toTimingInput(draft.timing) }
  const patch: Record<string, unknown> = {}
  for (const member of FORM_MEMBERS) {
    const standard = DEFAULTS[member]
    if (!isSame(schedule[member] ?? standard, wanted[member] ?? standard)) patch[member] = wanted[member] ?? null
  }
  // The field has minutes, so a time that was not touched differs by its seconds.
  const isMoved = draft.timing.when === 'once' && timingOf(schedule).sendAt !== draft.timing.sendAt
  if (isMoved || (patch.recurrence === null && wanted.send_at)) patch.send_at = wanted.send_at
  return Object.keys(patch).length > 0 ? (patch as SchedulePatch) : undefined
}

const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other)

// The order of members does not count.
const sorted = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => a.localeCompare(b)))
      : part,
  )

// As the inbox would show it.
export const previewOf = (draft: MessageDraft): NotificationView => {
  const { title, body, kept, level, isMarkdown, pictureUrl, isPushed } = draft
  return {
    id: 0,
    title: title.trim() || MESSAGE_TEXTS.emptyTitle,
    body: body.trim() || MESSAGE_TEXTS.emptyBody,
    level,
    source: kept.source,
    source_display_name: kept.source_display_name,
    format: isMarkdown ? 'markdown' : undefined,
    media_url: pictureUrl.trim() || undefined,
    media_type: pictureUrl.trim() ? 'image' : undefined,
    actions: toActions(draft.buttons),
    pushed: isPushed,
    created_at: new Date().toISOString(),
  }
}

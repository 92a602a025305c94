// Pushes to devices: the messages, the result that a push service reports, and the retry schedule.

import type { DeviceOptions } from '../contract/devices.ts'
import type { Activity, ActivityId, ActivityPushEvent, Sound } from './activities/activity.ts'
import type { History } from './activities/timeline-history.ts'
import type { BarkParameters } from './doors/bark/parameters.ts'
import { type Instant, plusSeconds } from './instant.ts'
import type { Notification, NotificationDraft, NotificationId } from './notifications/notification.ts'
import type { WidgetId } from './widgets/widget.ts'

// `badge` is the number on the app's icon. `ticket` lets the device answer without a token.
export type NotificationPush = {
  notification: PushContent
  badge: number
  ticket?: string
  collapseId?: string
  // Counts the pushes of an alert that repeats until it is acknowledged; 0 is the first push.
  repeat: number
  // When a snooze ended: the push is as new as that, not as the notification.
  wokenAt?: Instant
}

export type PushContent = NotificationDraft & Pick<Notification, 'id' | 'createdAt'>

// Removes the banners of notifications that were read or deleted elsewhere.
export type Withdrawal = { ids: NotificationId[]; badge: number }

// Carries no content: the device fetches the widget.
export type WidgetReload = { widget: { id: WidgetId; slug: string } }

export type ActivityPush = {
  activity: Pick<Activity, 'name' | 'slug' | 'state' | 'priority' | 'content' | 'stateAt' | 'updatedAt'> &
    Pick<Activity, 'staleTtlSeconds' | 'dismissalTtlSeconds'> & { id: ActivityId }
  event: ActivityPushEvent
  // In seconds, greater than in every earlier push of this activity.
  timestamp: number
  history?: History
  sound?: Sound
  // Lets the device answer an approval without a token.
  ticket?: string
}

// A push to the Bark app, in its own words. `pushId`: the same for every attempt.
export type BarkPush = { parameters: BarkParameters; pushId: string; priority: 10 | 5; expiresAt: Instant }

export type PushMessage =
  | ({ kind: 'notification' } & NotificationPush)
  | ({ kind: 'withdrawal' } & Withdrawal)
  | ({ kind: 'widget-reload' } & WidgetReload)
  | ({ kind: 'activity' } & ActivityPush)
  | ({ kind: 'bark' } & BarkPush)

// What a dry run shows the payloads of.
export type PushSubject =
  // `bark`: if the account has a phone with the Bark app, its options and the address of this server in links.
  | {
      kind: 'notification'
      notification: Notification
      collapseId?: string
      bark?: { options: DeviceOptions; publicUrl: string; isAlert: boolean }
    }
  | ({ kind: 'widget-reload' } & WidgetReload)
  | { kind: 'activity'; activity: Activity; event: ActivityPushEvent }

export type PushResult =
  // `by`: not a push service, but a server that hands it on.
  | { result: 'accepted'; by?: string }
  // The address is dead: delete the token, unless it was registered after `goneAt`.
  | { result: 'device_gone'; reason: string; goneAt?: Instant }
  // Permanent: not retried.
  | { result: 'rejected'; reason: string }
  // `notTried`: the server did not get it, because it has failed too often.
  | { result: 'try_later'; reason: string; afterSeconds?: number; notTried?: true }

// Shorter than the lease of a job, so that a push that hangs is recorded before another node claims its job; and shorter
// than the time that a stopping server has.
export const PUSH_DEADLINE_MS = 8000

// How long push services keep a notification for a device that is offline. It is not retried for longer either.
export const NOTIFICATION_KEPT_SECONDS = 24 * 3600

// Entry n - 1 is the delay after attempt n. After the last entry the push is given up.
export const PUSH_RETRY_SECONDS = [1, 5, 30, 120] as const
// For servers of somebody else, such as a bark-server at home.
export const SERVER_RETRY_SECONDS = [1, 5, 30, 120, 300, 600] as const
// A push service may put any number into Retry-After, decades included.
const LONGEST_RETRY_AFTER_SECONDS = 24 * 3600

// `isEndless`: the last delay stays.
export type PushRetries = { delaysSeconds: readonly number[]; isEndless?: boolean }

// Undefined if the push is not retried.
export function nextPushAttemptAt(
  pushed: PushResult,
  attempt: number,
  now: Instant,
  { delaysSeconds, isEndless }: PushRetries = { delaysSeconds: PUSH_RETRY_SECONDS },
): Instant | undefined {
  if (pushed.result !== 'try_later') return undefined
  const askedSeconds = Math.min(pushed.afterSeconds ?? 0, LONGEST_RETRY_AFTER_SECONDS)
  if (pushed.notTried) return plusSeconds(now, askedSeconds)
  const delaySeconds = delaysSeconds[attempt - 1] ?? (isEndless ? delaysSeconds.at(-1) : undefined)
  if (delaySeconds === undefined) return undefined
  return plusSeconds(now, Math.max(delaySeconds, askedSeconds))
}

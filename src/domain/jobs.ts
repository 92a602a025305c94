// The kinds of background jobs: the payload, the retry delays and the key of each. The payload is stored as JSON, and
// jobs of the version before may wait in the table, so a new member must be optional and a kind is never renamed.
import type { ActivityEventType } from '../contract/events/event.ts'
import type { ActivityId } from './activities/activity.ts'
import type { ShowingApp } from './activities/app-show.ts'
import type { ActivityContent } from './activities/templates/content.ts'
import type { ShieldId, UserId } from './caller.ts'
import type { Demo } from './demo.ts'
import type { DeviceId, PushAddress, PushTokenKind } from './devices.ts'
import { type EmailId, MAIL_RETRY_SECONDS, type RecipientId } from './emails/email.ts'
import type { HeartbeatId } from './heartbeats/heartbeat.ts'
import type { OrgId, TargetIds } from './ids.ts'
import type { Instant } from './instant.ts'
import type { Banner, DoorRecord, Notification, NotificationId } from './notifications/notification.ts'
import { PUSH_RETRY_SECONDS } from './push.ts'
import type { ScheduleId } from './schedules/schedule.ts'
import type { WidgetId } from './widgets/widget.ts'

// `userId` is the account whose share of the worker's slots the job takes.
export type Jobs = {
  'push-notification': PushOfNotification & { kind: PushTokenKind }
  // To a phone with the Bark app by APNs: other nodes may have the key for it than that for our own app.
  'push-bark': PushOfNotification & { kind: PushTokenKind }
  // `event`: the number of the event that carries the notification.
  'confirm-stream': Omit<PushOfNotification, 'collapseId'> & { event: number }
  // Asks ntfy.sh to wake an iPhone.
  'request-poll': OfNotification & { deviceId: DeviceId }
  // `banners`: of those that are deleted. `staysOnApps`: apps of other services show what became of it.
  'withdraw-banners': { userId: UserId; ids: NotificationId[]; banners?: Banner[]; staysOnApps?: boolean }
  'withdraw-from-bark': { userId: UserId; banners: Banner[] }
  // Says on phones with the Bark app what became of a notification. `by`: the name of a person.
  'show-ending': OfNotification & { ending: OrgSendNews; by?: string; at: Instant }
  'settle-app-link': { userId: UserId; deviceId: DeviceId }
  'wake-notification': OfNotification
  // `keepsBanners`: devices keep what they show.
  'delete-notification': OfNotification & { keepsBanners: boolean }
  'send-digest': { userId: UserId }
  'tell-storm': { userId: UserId; shieldId: ShieldId }
  'repeat-receipt': OfNotification & { repeat: number; dueAt: Instant }
  'expire-receipt': OfNotification
  'escalate-receipt': OfNotification & { step: number }
  'settle-receipt-group': { userId: UserId; groupId: NotificationId }
  'send-callback': OfNotification
  // `at`: when the step was taken.
  'send-step-callback': OfNotification & { step: number; at: Instant }
  'send-schedule': { userId: UserId; scheduleId: ScheduleId; dueAt: Instant }
  'report-schedule': SentSchedule & { pushes: number }
  'judge-heartbeat': { userId: UserId; heartbeatId: HeartbeatId }
  'reload-widget': { userId: UserId; widgetId: WidgetId; missed?: MissedReload }
  // `recipientId`: the account of the device, unless it is the owner's.
  'push-activity': OfActivity & { deviceId: DeviceId; recipientId?: UserId }
  // `userId` is the account of the device.
  'dismiss-activity': OfActivity & LastActivityPush
  'tick-activity': OfActivity
  // In the apps of other services of an account.
  'show-activity': OfActivity & { app: ShowingApp }
  // The same for phones with the Bark app, which needs a key of its own.
  'show-activity-at-bark': OfActivity & { app: ShowingApp }
  // Both kinds are for activities of organizations. `after`: the last member of the step before.
  'spread-activity': OfActivity & ActivitySpread & { after?: UserId }
  // `former`: the target whose members are looked at; absent for all members, who then get no events.
  'revoke-activity': OfActivity & RevokedActivity & { former?: TargetIds; after?: UserId }
  // The notification of these four is that of the organization. `after`: the last member of the step before.
  'spread-notification': OfOrgNotification
  'spread-repeat': OfOrgNotification & { repeat: number; after?: UserId }
  // `upTo`: the last member who has an entry so far. The step that writes a later entry tells its member itself.
  'tell-recipients': OfOrgNotification & { news: OrgSendNews; upTo: UserId; after?: UserId }
  // `sequence`, `isReplaced`: how apps of ntfy know the message, which is deleted with the head. `keepsBanners`: as above.
  'recall-notification': OfOrgNotification & { sequence?: string; isReplaced?: boolean; keepsBanners?: boolean }
  'play-demo': Pick<Demo, 'userId' | 'id' | 'step'>
  'send-email': { userId: UserId; emailId: EmailId }
  'confirm-recipient': { userId: UserId; recipientId: RecipientId }
  // `expiresAt`: of the link.
  'mail-sign-in-link': { userId: UserId; recipientId: RecipientId; expiresAt: Instant }
  // `after`: the last member who has been told.
  'tell-members': { userId: OrgId; after?: UserId }
  'close-organization': { userId: OrgId }
  housekeeping: { userId?: undefined }
}

export type JobKind = keyof Jobs

type OfNotification = { userId: UserId; notificationId: NotificationId }
// `repeat` is 0 for the first push of an alert that repeats, and absent if the alert does not repeat.
// `wokenAt`: a snooze ended then, and this is its push.
type PushOfNotification = OfNotification & {
  deviceId: DeviceId
  collapseId?: string
  repeat?: number
  wokenAt?: Instant
}
export type OrgSendNews = 'answered' | 'acknowledged' | 'expired' | 'canceled'
type OfOrgNotification = { userId: UserId; notificationId: NotificationId }
type OfActivity = { userId: UserId; activityId: ActivityId }
// Everything that the last push needs, because the row of the activity is deleted. `timestamp` is greater than in every
// earlier push.
type LastActivityPush = {
  deviceId: DeviceId
  kind: PushTokenKind
  slug: string
  name: string
  content: ActivityContent
  timestamp: number
}
// `isPushed`: the change is pushed to devices, too.
export type ActivitySpread = { event: ActivityEventType; isPushed: boolean }
type RevokedActivity = Pick<LastActivityPush, 'slug' | 'name' | 'content' | 'timestamp'>
export type SentSchedule = OfNotification & { id: ScheduleId }
// The devices that the push of `pushedAt` has not reached, and when each of them is pushed to again.
export type MissedReload = { pushedAt: Instant; dueAt: Record<DeviceId, Instant> }

// Data that the enqueuer has in memory, so that the first attempt skips its reads. Not stored.
export type Prepared = { [K in JobKind]: K extends NotificationPushKind ? PreparedPush : undefined }
export type NotificationPushKind = 'push-notification' | 'push-bark'
// `record`: for an app of others, what the message said at its door.
export type PreparedPush = { notification: Notification; address: PushAddress; unread: number; record?: DoorRecord }

const HOUR_SECONDS = 3600

// A change of an organization that was accepted reaches its members in steps. Such a job is never given up: it ends when
// everyone is reached, or what it is about is gone. The delay stays at the last entry: people wait for an alert.
const FAN_OUT_RETRY_SECONDS = [0.1, 1, 5, 15, 30, 60] as const

// Delays after an exception: entry n - 1 follows failure n in a row. After the last entry the job is deleted and logged.
// Results that a provider reports (429, 503) have a schedule of their own where the job asks to be retried.
export const JOB_RETRY_SECONDS = {
  'push-notification': PUSH_RETRY_SECONDS,
  'push-bark': PUSH_RETRY_SECONDS,
  'confirm-stream': [1, 5],
  // These are best effort: tried once.
  'request-poll': [],
  'withdraw-banners': [],
  'withdraw-from-bark': [],
  'show-ending': [],
  // Retried for a day: a phone that was removed must get nothing.
  'settle-app-link': [1, 5, 30, 120, 600, ...Array<number>(24).fill(HOUR_SECONDS)],
  // Retried for a day: a notification that is snoozed must not stay hidden.
  'wake-notification': [1, 5, 30, 120, 600, ...Array<number>(24).fill(HOUR_SECONDS)],
  // Retried for a day: its sender does not want it to be kept.
  'delete-notification': [1, 5, 30, 120, 600, ...Array<number>(24).fill(HOUR_SECONDS)],
  // Retried for a day: what was held must be told.
  'send-digest': [1, 5, 30, 120, 600, ...Array<number>(24).fill(HOUR_SECONDS)],
  'tell-storm': [1, 5, 30, 120],
  'repeat-receipt': [1, 5, 15, 30, 60, 300],
  // Retried for a day: an alert that never ends takes up one of the account's receipts.
  'expire-receipt': [1, 5, 30, 120, 600, ...Array<number>(24).fill(HOUR_SECONDS)],
  // Retried for as long as an alert can last: the next step is enqueued by the one before.
  'escalate-receipt': [1, 5, 15, 30, 60, 300, ...Array<number>(18).fill(600)],
  'settle-receipt-group': [1, 5, 15, 30, 60, 300, ...Array<number>(18).fill(600)],
  // Both from the start of one attempt to the start of the next.
  'send-callback': [60, 120, 240, 480, 960, 1920],
  'send-step-callback': [60, 120, 240, 480, 960, 1920],
  'send-schedule': [5, 30, 120, 600, HOUR_SECONDS],
  'report-schedule': [5, 30, 120, 600],
  // Then again from the start, however long it takes: a heartbeat without a job is never judged.
  'judge-heartbeat': [1, 5, 30, 120, 600, HOUR_SECONDS],
  'reload-widget': PUSH_RETRY_SECONDS,
  'push-activity': PUSH_RETRY_SECONDS,
  'dismiss-activity': PUSH_RETRY_SECONDS,
  // Retried for a day: an activity must end even if the database was down at that moment.
  'tick-activity': [1, 5, 30, 120, 600, HOUR_SECONDS, 6 * HOUR_SECONDS, 16 * HOUR_SECONDS],
  'show-activity': [1, 5, 30, 120, 600],
  'show-activity-at-bark': [1, 5, 30, 120, 600],
  'spread-activity': FAN_OUT_RETRY_SECONDS,
  'revoke-activity': FAN_OUT_RETRY_SECONDS,
  'spread-notification': FAN_OUT_RETRY_SECONDS,
  'spread-repeat': FAN_OUT_RETRY_SECONDS,
  'tell-recipients': FAN_OUT_RETRY_SECONDS,
  'recall-notification': FAN_OUT_RETRY_SECONDS,
  'play-demo': [5, 30],
  'send-email': MAIL_RETRY_SECONDS,
  'confirm-recipient': MAIL_RETRY_SECONDS,
  // The link is valid for ten minutes.
  'mail-sign-in-link': [60, 300],
  'tell-members': FAN_OUT_RETRY_SECONDS,
  'close-organization': FAN_OUT_RETRY_SECONDS,
  housekeeping: [60, 600, HOUR_SECONDS],
} as const satisfies Record<JobKind, readonly number[]>

export const JOB_KINDS = Object.keys(JOB_RETRY_SECONDS) as JobKind[]

// A kind is a fan-out by its delays.
export const isFanOut = (kind: JobKind): boolean => JOB_RETRY_SECONDS[kind] === FAN_OUT_RETRY_SECONDS
export const FAN_OUT_KINDS = JOB_KINDS.filter(isFanOut)

// `failures`: how often in a row the job has failed. Undefined if it is given up.
export function retryDelaySeconds(kind: JobKind, failures: number): number | undefined {
  const delays: readonly number[] = JOB_RETRY_SECONDS[kind]
  return delays[failures - 1] ?? (isFanOut(kind) ? delays.at(-1) : undefined)
}

// False for kinds of a newer version that runs on other nodes.
export const isJobKind = (text: string): text is JobKind => Object.hasOwn(JOB_RETRY_SECONDS, text)

// A job that is enqueued while another one with the same key waits coalesces with it.
export const JOB_KEYS = {
  widgetReload: (id: WidgetId) => `widget:${id}`,
  activityPush: (id: ActivityId, { userId, deviceId }: { userId: UserId; deviceId: DeviceId }) =>
    `activity:${id}:${userId}:${deviceId}`,
  activityShow: ({ userId, activityId, app }: Jobs['show-activity']) => `show:${app}:${activityId}:${userId}`,
  activityTick: (id: ActivityId) => `activity-clock:${id}`,
  activitySpread: (id: ActivityId, { event, isPushed }: ActivitySpread) =>
    `activity-spread:${id}:${event}:${isPushed ? 'pushed' : 'told'}`,
  notificationWake: (userId: UserId, id: NotificationId) => `wake:${userId}:${id}`,
  digest: (userId: UserId) => `digest:${userId}`,
  stormSummary: (id: ShieldId) => `storm:${id}`,
  scheduleSend: (id: ScheduleId) => `schedule:${id}`,
  scheduleReport: ({ id, notificationId }: SentSchedule) => `report:${id}:${notificationId}`,
  heartbeatJudging: (id: HeartbeatId) => `heartbeat:${id}`,
  recipientConfirmation: (id: RecipientId) => `confirm:${id}`,
  memberNews: (id: OrgId) => `member-news:${id}`,
  housekeeping: 'housekeeping',
}

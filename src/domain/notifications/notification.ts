// A notification, as it is drafted from a request and as it is stored.

import type { DeviceId, NotificationId } from '../../contract/fields.ts'
import type { DoorName } from '../../contract/keys/doors.ts'
import {
  NOTIFICATION_LEVELS,
  type NotificationAction,
  type NotificationInput,
  type NotificationView,
} from '../../contract/notifications/notification.ts'
import type { KeyId, Shield, UserId } from '../caller.ts'
import type { Mailbox } from '../emails/address.ts'
import type { EmailDraft } from '../emails/email.ts'
import type { Attachment } from '../files.ts'
import type { OrgId } from '../ids.ts'
import type { Instant } from '../instant.ts'
import type { NotificationSound } from './sounds.ts'

export type { NotificationId }

export type NotificationDraft = {
  title: string
  body: string
  subtitle?: string
  level: NotificationView['level']
  volume?: number
  sound?: NotificationSound
  threadId?: string
  source?: string
  sourceDisplayName?: string
  url?: string
  media?: NonNullable<NotificationInput['media']>
  attachments?: Attachment[]
  // A client's document: it keeps its wire names. Methods are in upper case.
  actions?: NotificationAction[]
  iconUrl?: string
  metadata?: Record<string, string>
  activitySlug?: string
  encrypted?: string
  format?: NotificationView['format']
  // Other devices of the account show it without a push or a sound.
  onlyDevices?: DeviceId[]
}

export const isPushedTo = ({ onlyDevices }: NotificationDraft, deviceId: string): boolean =>
  onlyDevices === undefined || onlyDevices.some((id) => id === deviceId)

// What phones show of it: where it is in their order, and by which later ones replace it.
export type Banner = { id: NotificationId; level: NotificationDraft['level']; collapseId: string | null }

// When the server deletes it by itself. `keepsBanners`: devices keep what they show.
export type Expiry = { afterSeconds: number; keepsBanners: boolean }

// `door`: what a message that came through a door said beyond these fields. `pushoverCallback`: called back in the form of
// Pushover, instead of callback_url. `shield`: that of the hook that it came through. `reportsQuota`: the sender is told what
// is left of its quota. `email`: sent if the notification is, and not otherwise. `noReceipt`: why an alert has none. `files`: of
// a schedule, what its `attachments` have become.
export type IncomingNotification = NotificationInput & {
  door?: DoorRecord
  pushoverCallback?: string
  shield?: Shield
  reportsQuota?: boolean
  onlyDevices?: DeviceId[]
  expiry?: Expiry
  email?: EmailDraft & { from: Mailbox }
  noReceipt?: string
  files?: Attachment[]
}

// The notification of an organization whose entry this is.
export type OrgOrigin = { id: OrgId; name: string; notificationId: NotificationId }

export type Notification = NotificationDraft & {
  id: NotificationId
  userId: UserId
  keyId: KeyId | null
  pushed: boolean
  createdAt: Instant
  readAt: Instant | null
  // Hidden from the inbox until then.
  snoozedUntil?: Instant
  // Only on entries of members.
  org?: OrgOrigin
}

// What a message that came through a door said beyond our own fields. It is kept beside the notification, so that apps of
// the same family get the message back unchanged.

export type DoorRecord = {
  door: DoorName
  // The topic, the application or the hook it was sent to.
  channel: string
  // By which the sender updates, clears or deletes the message later, within the channel.
  sequence?: string
  // The message in the sender's own words, such as its priority, tags and actions.
  message: Record<string, unknown>
}

// The levels of notifications, from the one that disturbs least to the one that disturbs most.
export type Level = (typeof NOTIFICATION_LEVELS)[number]

export const rankOf = (level: Level): number => NOTIFICATION_LEVELS.indexOf(level)
export const levelOf = (rank: number): Level => NOTIFICATION_LEVELS[rank] ?? 'active'

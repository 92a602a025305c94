// Enum values of the API as texts: those that the inbox shows.
import type { NotificationView, TimelineView } from '../../../src/contract/notifications/notification.ts'
import type { ReceiptView } from '../../../src/contract/receipts.ts'

export const LEVELS: Record<NotificationView['level'], string> = {
  passive: 'Passive',
  active: 'Active',
  'time-sensitive': 'Time-sensitive',
  critical: 'Critical',
}

export const TIMELINE: Record<TimelineView['items'][number]['event'], string> = {
  accepted: 'Accepted by the server',
  stored: 'Stored in the inbox',
  muted: 'Muted',
  quiet_hours: 'Quiet hours:',
  storm: 'Storm:',
  held: 'Held back for',
  push_sent: 'Sent to the push service of',
  push_accepted: 'Accepted by the push service of',
  push_rejected: 'Refused for',
  not_connected: 'Not connected:',
  retried: 'Will be tried again for',
  no_receipt: 'Neither repeats nor escalates:',
  receipt_shared: 'Repeats and escalates together with alert',
  repeated: 'Repeated',
  escalated: 'Escalated, step',
  members_added: 'Sent to more members:',
  emailed: 'E-mail to',
  email_refused: 'No e-mail to',
  opened: 'Opened on',
  read: 'Read',
  answered: 'Answered',
  acknowledged: 'Acknowledged',
  expired: 'Expired without an acknowledgement',
  canceled: 'Canceled',
  callback_attempt: 'Callback sent',
}

export const CANCEL_REASONS: Record<NonNullable<ReceiptView['cancel_reason']>, string> = {
  api: 'Stopped',
  tag: 'Stopped together with others of its tag',
  superseded: 'Replaced by a newer one',
  key_revoked: 'Stopped: the sender’s key was revoked',
  deleted: 'Stopped: the notification was deleted',
  resolved: 'Stopped: what it told of is over',
}

// Explanations of push service errors, by a part of the error text.
export const PUSH_ERRORS = {
  Unregistered: 'The app was removed from this device, or notifications were switched off for it.',
  BadDeviceToken: 'Apple does not know this device’s address. Open the app on it once.',
  ExpiredToken: 'This device’s address has expired. Open the app on it once.',
  DeviceTokenNotForTopic: 'The address belongs to another app. Check HELIOGRAPH_APNS_TOPIC.',
  'no APNs key': 'This server has no APNs key, so it cannot push to Apple devices.',
  InvalidProviderToken: 'Apple does not accept the server’s APNs key. Check the key, key id and team id.',
  TooManyRequests: 'The push service asks for fewer pushes to this device.',
  gone: 'The browser has ended this subscription. Add the browser again.',
}

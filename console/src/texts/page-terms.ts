// Enum values of the API as texts: those that only the other pages show.
import type { DeviceView } from '../../../src/contract/devices.ts'
import type { EmailView, RecipientView } from '../../../src/contract/emails.ts'
import type { Permissions } from '../../../src/contract/permissions.ts'
import type { CapName } from '../../../src/contract/plans.ts'
import type { ScheduleView } from '../../../src/contract/schedules.ts'

// `free` and `paid` have names; a plan of the operator is named as it is in the settings.
export const planName = (plan: string): string =>
  plan === 'free' ? 'Free plan' : plan === 'paid' ? 'Paid plan' : `Plan “${plan}”`

export const GRANTS: { [R in keyof Permissions]: Record<Permissions[R], string> } = {
  notifications: {
    none: 'No notifications',
    send: 'Send notifications and read the inbox',
    schedule: 'Send and schedule notifications, read the inbox',
  },
  widgets: { none: 'No widgets', read: 'Read widgets', write: 'Read and change widgets' },
  activities: {
    none: 'No activities',
    read: 'Read activities',
    update: 'Update activities',
    manage: 'Create, update and delete activities',
  },
  emails: { none: 'No e-mail', send: 'Send e-mail' },
}

export const PLATFORMS: Record<DeviceView['platform'], string> = {
  ios: 'iPhone',
  ipados: 'iPad',
  macos: 'Mac',
  watchos: 'Apple Watch',
  web: 'Browser',
  android: 'Android',
  ntfy: 'ntfy app',
  gotify: 'Gotify app',
  bark: 'Bark app',
}

export const CHANNELS: Record<DeviceView['channel'], string> = {
  apns: 'pushed by Apple',
  web_push: 'pushed by the browser’s service',
  stream: 'only while it is connected',
  http: 'through a server of its own',
}

export const SCHEDULE_STATUSES: Record<ScheduleView['status'], string> = {
  scheduled: 'Scheduled',
  sent: 'Sent',
  failed: 'Failed',
  canceled: 'Canceled',
}

export const DELIVERIES: Record<NonNullable<ScheduleView['delivery']>, string> = {
  all: 'on all devices',
  partial: 'on some devices',
  none: 'on no device',
}

export const SCHEDULE_FAILURES: Record<NonNullable<ScheduleView['failure_reason']>, string> = {
  quota_exceeded: 'Not sent: the quota was used up.',
  key_revoked: 'Not sent: the key that created it was revoked.',
  internal_error: 'Not sent: the server failed. Its log says why.',
}

export const RECIPIENT_STATUSES: Record<RecipientView['status'], string> = {
  pending: 'Not confirmed yet',
  verified: 'Confirmed',
  suppressed: 'Unsubscribed or undeliverable',
}

export const MAIL_STATUSES: Record<EmailView['status'], string> = {
  sent: 'Sent',
  bounced: 'Bounced',
  failed: 'Failed',
  suppressed: 'Suppressed',
}

export const CAPS: Record<CapName, string> = {
  devices: 'Devices',
  keys: 'Keys',
  widgets: 'Widgets',
  activities: 'Activities',
  ongoing_activities: 'Ongoing activities',
  pending_schedules: 'Schedules',
  open_alerts: 'Open alerts',
  open_waits: 'Requests that wait',
  event_streams: 'Event streams',
  email_recipients: 'E-mail recipients',
  heartbeats: 'Heartbeats',
  escalations: 'Escalation policies',
  hooks: 'Webhooks',
  received_shares: 'Received shares',
  members: 'Members of an organization',
  unifiedpush_per_day: 'Messages for other apps, a day',
}

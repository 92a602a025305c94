// Plans: what an account may use in a month or on a day (quotas), and have at a time (caps). The numbers are those of the
// contract; the operator changes them with HELIOGRAPH_PLANS.
import { LIMITS, QUOTAS, type QuotaKind } from './limits.ts'

type Quota = { meaning: string }
// `most`: the bound that protects the server, because such resources are listed, counted or pushed at once.
type Cap = { meaning: string; free: number; paid: number; most: number }

export const QUOTA_KINDS = Object.keys(QUOTAS.free) as QuotaKind[]

export const QUOTA_MEANINGS: Record<QuotaKind, Quota['meaning']> = {
  notifications: 'Notifications that are pushed',
  live_activity_updates: 'Updates of live activities',
  widget_updates: 'Updates of widgets',
  emails: 'E-mails',
}

const same = (number: number) => ({ free: number, paid: number })

export const CAPS = {
  devices: { meaning: 'Devices', ...LIMITS.device.maxPerAccount, most: 100 },
  keys: { meaning: 'Integration keys, with the default key', ...same(LIMITS.key.maxPerAccount), most: 1000 },
  widgets: { meaning: 'Widgets', ...same(LIMITS.widget.maxPerAccount), most: 500 },
  activities: { meaning: 'Activities', ...same(LIMITS.activity.maxPerAccount), most: 500 },
  ongoing_activities: {
    meaning: 'Activities that are ongoing; an iPhone shows 5',
    ...same(LIMITS.activity.maxOngoing),
    most: 50,
  },
  pending_schedules: { meaning: 'Schedules that wait to be sent', ...same(LIMITS.schedule.maxPending), most: 1000 },
  open_alerts: {
    meaning: 'Alerts that wait to be acknowledged; each costs a push a minute',
    ...same(LIMITS.receipt.maxOpen),
    most: 1000,
  },
  open_waits: { meaning: 'Requests with `wait` that are held open', ...same(LIMITS.wait.maxOpen), most: 100 },
  event_streams: { meaning: 'Event streams that are open', ...same(LIMITS.eventStream.maxOpen), most: 200 },
  email_recipients: { meaning: 'Recipients of e-mails', ...same(LIMITS.email.maxRecipients), most: 1000 },
  heartbeats: { meaning: 'Heartbeats', ...LIMITS.heartbeat.maxPerAccount, most: 1000 },
  escalations: { meaning: 'Escalation policies', ...LIMITS.escalation.maxPerAccount, most: 200 },
  hooks: { meaning: 'Webhooks', ...same(LIMITS.hook.maxPerAccount), most: 500 },
  received_shares: { meaning: 'Activities and patterns that others share', ...LIMITS.share.maxReceived, most: 1000 },
  members: { meaning: 'Members of an organization', ...LIMITS.organization.maxMembers, most: 10_000 },
  unifiedpush_per_day: {
    meaning: 'Messages a day for other apps (UnifiedPush)',
    ...LIMITS.unifiedPush.perDay,
    most: 1_000_000,
  },
} as const satisfies Record<string, Cap>

export type CapName = keyof typeof CAPS
export const CAP_NAMES = Object.keys(CAPS) as CapName[]

// `free`, `paid`, or one of the operator's.
export type PlanName = string

// Schedules as the API shows them.
import type { NotificationInput } from '../../../src/contract/notification.ts'

export const SCHEDULE_STATUSES = ['scheduled', 'sent', 'failed', 'canceled'] as const
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number]

export type Recurrence = { cron: string; timezone: string; until?: string; count?: number }

export type ScheduleView = NotificationInput & {
  id: number
  status: ScheduleStatus
  send_at: string
  created_at: string
  recurrence?: Recurrence
  occurrence?: number
  last_sent_at?: string
  notification_id?: number
  sent_at?: string
  delivery?: 'all' | 'partial' | 'none'
  failure_reason?: 'quota_exceeded' | 'key_revoked' | 'internal_error'
  canceled_at?: string
}

export type ScheduleList = { items: ScheduleView[]; next_cursor?: string }
export type ScheduleDryRun = { would: { send_times: string[] } }

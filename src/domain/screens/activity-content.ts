// The members of activity content that are drawn. The server decides which ones a template requires; here all are
// optional, and a missing one is not drawn.
import type { WidgetAction } from '../../contract/actions.ts'

export const ACTIVITY_TEMPLATES = [
  'generic',
  'countdown',
  'steps',
  'alert',
  'gauge',
  'timeline',
  'board',
  'log',
  'media',
  'approval',
] as const
export type ActivityTemplate = (typeof ACTIVITY_TEMPLATES)[number]

export type HistoryPoint = { timestamp: number; value: number }
export type Threshold = { value: number; color?: string; label?: string }
export type Tile = {
  label: string
  value: string
  unit?: string
  icon?: string
  color?: string
  trend?: 'up' | 'down' | 'flat'
  url_action?: WidgetAction
}
export type LogLine = { text: string; at?: number; level?: 'info' | 'warn' | 'error' }
export type ControlName =
  | 'previous'
  | 'play_pause'
  | 'play'
  | 'pause'
  | 'next'
  | 'stop'
  | 'favorite'
  | 'volume_down'
  | 'volume_up'
export type Controls = { [Name in ControlName]?: WidgetAction } & { extra?: WidgetAction[] }
export type ApprovalOption = Omit<WidgetAction, 'url'> & {
  id: string
  title: string
  style?: 'primary' | 'secondary' | 'destructive'
  url?: string
}

// Dates are epoch seconds.
export type ActivityContent = {
  template?: ActivityTemplate
  state?: string
  subtitle?: string
  icon?: string
  progress?: number
  remaining_time?: number
  accent_color?: string
  background_color?: string
  text_color?: string
  compact_label?: string
  completion_message?: string
  url?: string
  secondary_url?: string
  url_action?: WidgetAction
  secondary_url_action?: WidgetAction
  start_date?: number
  end_date?: number
  live_progress?: boolean
  image_url?: string
  image_shape?: 'poster' | 'square' | 'circle'
  warning_threshold?: number
  snooze_seconds?: number
  alarm?: boolean
  total_steps?: number
  current_step?: number
  step_rows?: number[]
  step_labels?: string[]
  step_colors?: string[]
  step_weights?: number[]
  severity?: 'critical' | 'warning' | 'info'
  severity_label?: string
  fired_at?: number
  value?: number | Record<string, number>
  min_value?: number
  max_value?: number
  unit?: string
  units?: Record<string, string>
  decimals?: number
  scale?: 'linear' | 'logarithmic'
  smoothing?: boolean
  thresholds?: Threshold[]
  primary_series?: string
  history?: Record<string, HistoryPoint[]>
  tiles?: Tile[]
  lines?: LogLine[]
  media_title?: string
  playback_state?: 'playing' | 'paused' | 'stopped' | 'buffering'
  position_seconds?: number
  duration_seconds?: number
  position_at?: number
  volume?: number
  favorite?: boolean
  controls?: Controls
  options?: ApprovalOption[]
  details?: { label: string; value: string }[]
  source?: string
  on_expire?: string
  answer?: { option: string; by: 'user' | 'expired'; at: number }
}

// `id` and the role are missing in previews of drafts.
export type ShownActivity = {
  id?: string
  slug: string
  kind?: 'owned' | 'shared'
  share_role?: 'viewer' | 'editor'
  // It is an activity of an organization, shown to a member whom it reaches.
  isForMember?: boolean
  name: string
  state: 'ongoing' | 'ended' | 'preempted'
  content: ActivityContent
}

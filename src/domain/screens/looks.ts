// The colours and icons that a card has if its sender chose none.
import type { WidgetTemplate } from '../../contract/widgets.ts'
import { colorHex } from '../color.ts'
import type { ActivityTemplate } from './activity-content.ts'

export const WIDGET_COLORS: Record<WidgetTemplate, string> = {
  value: 'blue',
  progress: 'blue',
  status: '8E8E93',
  gauge: 'green',
  stat_list: 'indigo',
  trend: 'teal',
  countdown: 'orange',
  battery: 'green',
  schedule: 'purple',
  flow: 'yellow',
}

export const ACTIVITY_LOOKS: Record<ActivityTemplate, { color: string; icon: string }> = {
  generic: { color: 'blue', icon: 'bolt' },
  countdown: { color: 'orange', icon: 'timer' },
  steps: { color: 'green', icon: 'checklist' },
  alert: { color: 'red', icon: 'exclamationmark.triangle' },
  gauge: { color: 'green', icon: 'gauge' },
  timeline: { color: 'blue', icon: 'chart.line.uptrend.xyaxis' },
  board: { color: 'indigo', icon: 'mdi:view-dashboard' },
  log: { color: 'mint', icon: 'terminal' },
  media: { color: 'pink', icon: 'music.note' },
  approval: { color: 'purple', icon: 'questionmark.circle' },
}

const SEVERITY_COLORS = new Map([
  ['info', 'blue'],
  ['warning', 'orange'],
  ['critical', 'red'],
  ['success', 'green'],
])

type Accented = { accent_color?: string; severity?: string }

// The accent that the sender chose, by itself or by a severity; undefined if it chose none.
export function chosenAccent({ accent_color, severity }: Accented): string | undefined {
  const color = colorHex(accent_color ?? '') ?? SEVERITY_COLORS.get(severity ?? '')
  return color && colorHex(color)
}

export const accentOf = (content: Accented, usual: string): string => chosenAccent(content) ?? colorHex(usual) ?? ''

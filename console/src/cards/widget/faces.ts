// All templates, one line each. A new template is a file in this folder and a line here.
import type { WidgetTemplate } from '../../../../src/contract/widgets.ts'
import { battery } from './battery.tsx'
import { countdown } from './countdown.tsx'
import type { WidgetFace } from './face.ts'
import { flow } from './flow.tsx'
import { gauge } from './gauge.tsx'
import { progress } from './progress.tsx'
import { schedule } from './schedule.tsx'
import { statList } from './stat-list.tsx'
import { status } from './status.tsx'
import { trend } from './trend.tsx'
import { value } from './value.tsx'

export const WIDGET_FACES: Record<WidgetTemplate, WidgetFace> = {
  value,
  progress,
  status,
  gauge,
  stat_list: statList,
  trend,
  countdown,
  battery,
  schedule,
  flow,
}

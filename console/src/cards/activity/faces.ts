// All templates, one line each. A new template is a file in this folder and a line here.
import type { ActivityTemplate } from '../../../../src/domain/screens/activity-content.ts'
import { alert } from './alert.tsx'
import { approval } from './approval.tsx'
import { board } from './board.tsx'
import { countdown } from './countdown.tsx'
import type { ActivityFace } from './face.ts'
import { gauge } from './gauge.tsx'
import { generic } from './generic.tsx'
import { log } from './log.tsx'
import { media } from './media.tsx'
import { steps } from './steps.tsx'
import { timeline } from './timeline.tsx'

export const ACTIVITY_FACES: Record<ActivityTemplate, ActivityFace> = {
  generic,
  countdown,
  steps,
  alert,
  gauge,
  timeline,
  board,
  log,
  media,
  approval,
}

// All templates: one line each. A new one is a file beside this and a line here.
import { alert } from './alert.ts'
import { approval } from './approval.ts'
import { board } from './board.ts'
import { countdown } from './countdown.ts'
import { gauge } from './gauge.ts'
import { generic } from './generic.ts'
import { log } from './log.ts'
import { media } from './media.ts'
import { steps } from './steps.ts'
import type { ActivityTemplate } from './template.ts'
import { timeline } from './timeline.ts'

export const ACTIVITY_TEMPLATES = {
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
} as const satisfies Record<string, ActivityTemplate>

export type TemplateName = keyof typeof ACTIVITY_TEMPLATES
export const TEMPLATE_NAMES = Object.keys(ACTIVITY_TEMPLATES) as TemplateName[]

export const isTemplateName = (name: unknown): name is TemplateName =>
  typeof name === 'string' && Object.hasOwn(ACTIVITY_TEMPLATES, name)

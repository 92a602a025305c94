// All templates: one line each. A new one is a file beside this and a line here.
import { alert } from './alert.ts'
import { approval } from './approval.ts'
import { board } from './board.ts'
import { COMMON_FIELDS } from './common.ts'
import type { ActivityContent } from './content.ts'
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

// Which members of content belong to which template.
export const templateFor = ({ template }: ActivityContent): ActivityTemplate | undefined =>
  isTemplateName(template) ? ACTIVITY_TEMPLATES[template] : undefined

// The members that belong to some templates, with those templates. Members of all templates are not among them.
export const OWNERS = new Map<string, TemplateName[]>()
for (const name of TEMPLATE_NAMES) {
  for (const field of Object.keys(ACTIVITY_TEMPLATES[name].fields)) {
    OWNERS.set(field, [...(OWNERS.get(field) ?? []), name])
  }
}

export const isKnownMember = (content: ActivityContent, member: string): boolean =>
  Object.hasOwn(COMMON_FIELDS, member) || Object.hasOwn(templateFor(content)?.fields ?? {}, member)

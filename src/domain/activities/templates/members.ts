// Which members of content belong to which template.
import { COMMON_FIELDS } from './common.ts'
import type { ActivityContent } from './content.ts'
import type { ActivityTemplate } from './template.ts'
import { ACTIVITY_TEMPLATES, isTemplateName, TEMPLATE_NAMES, type TemplateName } from './templates.ts'

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

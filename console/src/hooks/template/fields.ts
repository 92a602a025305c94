// The fields of a template, and the errors of the server at each.
import type { HookPreview, HookTemplate } from '../../../../src/contract/hooks.ts'
import type { Violation } from '../../api/client.ts'
import { HOOK_TEXTS, type TemplateField } from '../../texts/hooks.ts'

export const TEMPLATE_FIELDS = Object.keys(HOOK_TEXTS.template.fields) as TemplateField[]

// What the editor of a new hook starts with, before any request is known.
export const FIRST_TEMPLATE: HookTemplate = { title: '{{ body.title }}', body: '{{ body.message }}' }

// Undefined if every field is empty: the server wants at least one.
export function withoutEmptyFields(template: HookTemplate): HookTemplate | undefined {
  const filled = Object.entries(template).filter(([, text]) => text !== '')
  return filled.length === 0 ? undefined : Object.fromEntries(filled)
}

export type FieldErrors = Partial<Record<TemplateField, string>>

// A template that cannot be parsed.
export function parseErrors(violations: Violation[]): FieldErrors {
  const errors = violations.flatMap(({ location, message }) => {
    const field = TEMPLATE_FIELDS.find((name) => location === `body.template.${name}`)
    return field ? [[field, message] as const] : []
  })
  return Object.fromEntries(errors)
}

// A template that fails for one request; the detail then begins with the name of the field.
export function renderErrors({ detail = '' }: HookPreview): FieldErrors {
  const field = TEMPLATE_FIELDS.find((name) => detail.startsWith(`${name}: `))
  return field ? { [field]: detail.slice(field.length + 2) } : {}
}

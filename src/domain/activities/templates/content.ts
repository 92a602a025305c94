// Content as a document, and helpers for all templates.
import { Type } from 'typebox'

export type ActivityContent = { readonly [member: string]: unknown }

export const at = (member: string): string => `body.content.${member}`

// Instants inside content are whole seconds since 1970.
export const UnixSeconds = Type.Integer({ minimum: 1, maximum: 99_999_999_999, description: 'seconds since 1970' })

export function without(content: ActivityContent, ...members: string[]): ActivityContent {
  if (!members.some((member) => member in content)) return content
  return Object.fromEntries(Object.entries(content).filter(([member]) => !members.includes(member)))
}

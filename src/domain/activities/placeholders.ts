// Empty values that clients send for members they do not use.
import { mergePatch } from '../merge-patch.ts'
import type { ActivityContent } from './templates/content.ts'
import { isKnownMember, OWNERS, type TemplateName } from './templates/templates.ts'

// Of the template's own members only "" is a placeholder; of those of other templates also false and an empty object.
export function withPlaceholdersAsNull(sent: ActivityContent, name: TemplateName): ActivityContent {
  const isPlaceholder = (member: string, value: unknown) =>
    value === ''
      ? isKnownMember({ template: name }, member) || OWNERS.has(member)
      : isEmptyForeignMember(member, value, name)
  const placeholders = Object.keys(sent).filter((member) => isPlaceholder(member, sent[member]))
  return placeholders.length === 0
    ? sent
    : { ...sent, ...Object.fromEntries(placeholders.map((member) => [member, null])) }
}

function isEmptyForeignMember(member: string, value: unknown, name: TemplateName): boolean {
  const owners = OWNERS.get(member)
  if (!owners || owners.includes(name)) return false
  return value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

// A merge patch drops nulls from objects, but not from objects in a list.
export function withoutNullsInLists(sent: ActivityContent): ActivityContent {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(clean)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, visit(member)]))
  }
  const clean = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(clean)
    return typeof node === 'object' && node !== null ? visit(mergePatch({}, node)) : node
  }
  return hasNullInList(sent, false) ? (visit(sent) as ActivityContent) : sent
}

function hasNullInList(node: unknown, isInList: boolean): boolean {
  if (node === null) return isInList
  if (typeof node !== 'object') return false
  if (Array.isArray(node)) return node.some((entry) => hasNullInList(entry, true))
  const members = node as Record<string, unknown>
  for (const name in members) if (hasNullInList(members[name], isInList)) return true
  return false
}

// The content of an activity: how a patch changes it, and what is checked before it is stored. A refused patch changes
// nothing, and its problem lists everything that is wrong.
import { Type } from 'typebox'
import { LIMITS } from '../../contract/limits.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { type Check, compileCheck, inOneSentence } from '../../contract/validation.ts'
import type { Instant } from '../instant.ts'
import { mergePatch } from '../merge-patch.ts'
import { COMMON_FIELDS, commonRules, withUpperCaseMethods } from './templates/common.ts'
import { type ActivityContent, at, without } from './templates/content.ts'
import type { ActivityTemplate, ContentChange } from './templates/template.ts'
import { ACTIVITY_TEMPLATES, isTemplateName, TEMPLATE_NAMES, type TemplateName } from './templates/templates.ts'

export type CheckedContent = ActivityContent & { readonly template: TemplateName }

// Written by the server alone. Clients that send back what they read are not refused for it.
const SERVER_OWNED = ['warning_pushed', 'snoozed_until', 'answer', 'answer_round', 'log_backlog']

// What is stored has been checked, so only what is sent is looked at; the shape alone is asked of the merged whole.
export function patchedActivityContent(current: ActivityContent, patch: ActivityContent, now: Instant): CheckedContent {
  requireBoundedSize(patch)
  const template = templateOf(current, patch)
  const before = current.template === template ? current : withoutFieldsOf(current)
  const cleared = withPlaceholdersAsNull(withoutNullsInLists(without(patch, 'template', ...SERVER_OWNED)), template)
  const content = withUpperCaseMethods(mergePatch({ ...before, template }, cleared) as ActivityContent)
  const nothing = Object.keys(cleared).filter((member) => cleared[member] === null)
  const change = { before, sent: without(cleared, ...nothing), now }
  assertValid(content, template, change)
  requireBoundedSize(content)
  const { derive } = ACTIVITY_TEMPLATES[template] as ActivityTemplate
  return { ...(derive ? derive(content, change) : content), template }
}

export function endedContent(content: ActivityContent): ActivityContent {
  return templateFor(content)?.end?.(content) ?? content
}

// What a device cannot do without: the words, the bar, and what the template needs.
export function essentialContent(content: ActivityContent): ActivityContent {
  const members = ['template', 'state', 'progress', 'answer', 'end_date', ...(templateFor(content)?.required ?? [])]
  return Object.fromEntries(Object.entries(content).filter(([member]) => members.includes(member)))
}

export const templateFor = ({ template }: ActivityContent): ActivityTemplate | undefined =>
  isTemplateName(template) ? ACTIVITY_TEMPLATES[template] : undefined

// Without a word about it, it stays what it is.
function templateOf(current: ActivityContent, sent: ActivityContent): TemplateName {
  const wanted = sent.template || current.template || likelyTemplate(sent)
  if (isTemplateName(wanted)) return wanted
  throw contentInvalid([{ location: at('template'), message: `must be one of ${TEMPLATE_NAMES.join(', ')}` }])
}

// Some clients begin without naming a template: the first that has every member they sent, and needs no other.
function likelyTemplate(sent: ActivityContent): TemplateName {
  const members = Object.keys(sent).filter((member) => OWNERS.has(member))
  const fits = (name: TemplateName) =>
    members.every((member) => OWNERS.get(member)?.includes(name)) &&
    ACTIVITY_TEMPLATES[name].required.every((member) => members.includes(member))
  return TEMPLATE_NAMES.find(fits) ?? 'generic'
}

function withoutFieldsOf(content: ActivityContent): ActivityContent {
  return without(content, ...Object.keys(templateFor(content)?.fields ?? {}))
}

function assertValid(content: ActivityContent, name: TemplateName, change: ContentChange): void {
  const { required, rules } = ACTIVITY_TEMPLATES[name] as ActivityTemplate
  const violations = [...shapeCheckOf(name)({ content }), ...foreignViolations(change.sent, name)]
  for (const member of required) {
    if (content[member] === undefined) violations.push({ location: at(member), message: 'is required' })
  }
  // The rules take the shape for granted.
  if (violations.length === 0) violations.push(...commonRules(content), ...(rules?.(content, change) ?? []))
  if (violations.length > 0) throw contentInvalid(violations, name)
}

// Members that no template has are kept, nested ones too, so the whole is bounded: as it is sent, before anything takes
// time for each member, and as it is stored. The history of a timeline has bounds of its own and is not stored here.
function requireBoundedSize(content: ActivityContent): void {
  const { values, chars } = sizeOf(content)
  if (values <= LIMITS.activityContentValues && chars <= LIMITS.activityContentChars) return
  const most = `${LIMITS.activityContentValues} values and ${LIMITS.activityContentChars} characters`
  throw contentInvalid([{ location: 'body.content', message: `must have at most ${most} in all` }])
}

function sizeOf(content: ActivityContent): { values: number; chars: number } {
  let values = 0
  let chars = 0
  const visit = (node: unknown) => {
    values += 1
    if (typeof node === 'string') chars += node.length
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(visit)
    for (const [name, member] of Object.entries(node)) {
      chars += name.length
      visit(member)
    }
  }
  for (const member in content) {
    chars += member.length
    if (member !== 'history') visit(content[member])
  }
  return { values, chars }
}

function contentInvalid(errors: Violation[], template?: TemplateName): Problem {
  const sentence = inOneSentence(errors)
  const detail = template ? `With the template ${template}, ${sentence}` : sentence
  return new Problem('activity.content_invalid', detail, { errors })
}

const CHECKS = new Map<TemplateName, Check>()

function shapeCheckOf(name: TemplateName): Check {
  const known = CHECKS.get(name)
  if (known) return known
  const content = Type.Object({ ...COMMON_FIELDS, ...ACTIVITY_TEMPLATES[name].fields })
  // Under `content`, so that violations are located from the body.
  const check = compileCheck(Type.Object({ content }), 'body')
  CHECKS.set(name, check)
  return check
}

// Every member that belongs to some template but not to all of them, with the templates that have it.
const OWNERS = new Map<string, TemplateName[]>()
for (const name of TEMPLATE_NAMES) {
  for (const field of Object.keys(ACTIVITY_TEMPLATES[name].fields)) {
    OWNERS.set(field, [...(OWNERS.get(field) ?? []), name])
  }
}

export const isKnownMember = (content: ActivityContent, member: string): boolean =>
  Object.hasOwn(COMMON_FIELDS, member) || Object.hasOwn(templateFor(content)?.fields ?? {}, member)

function foreignViolations(sent: ActivityContent, name: TemplateName): Violation[] {
  return Object.keys(sent).flatMap((member) => {
    const owners = OWNERS.get(member)
    if (!owners || owners.includes(name)) return []
    return [{ location: at(member), message: `belongs to ${owners.join(', ')}, not to ${name}` }]
  })
}

// Clients send empty values for what they do not use. Of its own members only "" is none.
function withPlaceholdersAsNull(sent: ActivityContent, name: TemplateName): ActivityContent {
  const isPlaceholder = (member: string, value: unknown) =>
    value === ''
      ? isKnownMember({ template: name }, member) || OWNERS.has(member)
      : isForeignNothing(member, value, name)
  const placeholders = Object.keys(sent).filter((member) => isPlaceholder(member, sent[member]))
  return placeholders.length === 0
    ? sent
    : { ...sent, ...Object.fromEntries(placeholders.map((member) => [member, null])) }
}

function isForeignNothing(member: string, value: unknown, name: TemplateName): boolean {
  const owners = OWNERS.get(member)
  if (!owners || owners.includes(name)) return false
  return value === false || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

// A merge takes nulls out of objects, but not out of those in a list.
function withoutNullsInLists(sent: ActivityContent): ActivityContent {
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

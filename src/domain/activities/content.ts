// The content of an activity: how a patch changes it, and what is checked before it is stored. The problem of a refused
// patch lists every violation.
import { Type } from 'typebox'
import type { Violation } from '../../contract/problems.ts'
import { type Check, compileCheck } from '../../contract/validation.ts'
import type { Instant } from '../instant.ts'
import { mergePatch } from '../merge-patch.ts'
import { activityContentInvalid, requireBoundedSize } from './content-size.ts'
import { withoutNullsInLists, withPlaceholdersAsNull } from './placeholders.ts'
import { COMMON_FIELDS, commonRules, withTrimmedLabel, withUpperCaseMethods } from './templates/common.ts'
import { type ActivityContent, at, without } from './templates/content.ts'
import type { ActivityTemplate, ContentChange } from './templates/template.ts'
import {
  ACTIVITY_TEMPLATES,
  isTemplateName,
  OWNERS,
  TEMPLATE_NAMES,
  type TemplateName,
  templateFor,
} from './templates/templates.ts'

export type CheckedContent = ActivityContent & { readonly template: TemplateName }

// Only the server writes these members. They are ignored, because clients send back what they read.
const SERVER_OWNED = ['warning_pushed', 'snoozed_until', 'answer', 'answer_round', 'log_backlog']

// Stored content has been checked before, so the rules look only at the members that were sent. The shape of the merged
// content is checked as a whole.
export function patchedActivityContent(current: ActivityContent, patch: ActivityContent, now: Instant): CheckedContent {
  requireBoundedSize(patch)
  const template = templateOf(current, patch)
  const before = current.template === template ? current : withoutFieldsOf(current)
  const sent = withTrimmedLabel(withoutNullsInLists(without(patch, 'template', ...SERVER_OWNED)))
  const cleared = withPlaceholdersAsNull(sent, template)
  const content = withUpperCaseMethods(mergePatch({ ...before, template }, cleared) as ActivityContent)
  const unset = Object.keys(cleared).filter((member) => cleared[member] === null)
  const change = { before, sent: without(cleared, ...unset), now }
  assertValid(content, template, change)
  requireBoundedSize(content)
  const { derive } = ACTIVITY_TEMPLATES[template] as ActivityTemplate
  return { ...(derive ? derive(content, change) : content), template }
}

export function endedContent(content: ActivityContent): ActivityContent {
  return templateFor(content)?.end?.(content) ?? content
}

// The members that a device needs at least: text, progress, and what the template requires.
export function essentialContent(content: ActivityContent): ActivityContent {
  const members = ['template', 'state', 'progress', 'answer', 'end_date', ...(templateFor(content)?.required ?? [])]
  return Object.fromEntries(Object.entries(content).filter(([member]) => members.includes(member)))
}

// A patch that names no template keeps the one that is stored.
function templateOf(current: ActivityContent, sent: ActivityContent): TemplateName {
  const wanted = sent.template || current.template || likelyTemplate(sent)
  if (isTemplateName(wanted)) return wanted
  throw activityContentInvalid([{ location: at('template'), message: `must be one of ${TEMPLATE_NAMES.join(', ')}` }])
}

// Some clients name no template at first. They get the first one that has every member they sent and requires no other.
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
  // The rules assume the right shape.
  if (violations.length === 0) violations.push(...commonRules(content), ...(rules?.(content, change) ?? []))
  if (violations.length > 0) throw activityContentInvalid(violations, name)
}

const CHECKS = new Map<TemplateName, Check>()

function shapeCheckOf(name: TemplateName): Check {
  const known = CHECKS.get(name)
  if (known) return known
  const content = Type.Object({ ...COMMON_FIELDS, ...ACTIVITY_TEMPLATES[name].fields })
  // Wrapped, so that the locations of violations start at the body.
  const check = compileCheck(Type.Object({ content }), 'body')
  CHECKS.set(name, check)
  return check
}

function foreignViolations(sent: ActivityContent, name: TemplateName): Violation[] {
  return Object.keys(sent).flatMap((member) => {
    const owners = OWNERS.get(member)
    if (!owners || owners.includes(name)) return []
    return [{ location: at(member), message: `belongs to ${owners.join(', ')}, not to ${name}` }]
  })
}

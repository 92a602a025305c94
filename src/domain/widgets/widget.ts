// A widget and its content: what may be stored, how a patch changes it, and when it may be pushed next.
import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { LIMITS } from '../../contract/limits.ts'
import { Problem, type Violation } from '../../contract/problems.ts'
import { compileCheck, inOneSentence } from '../../contract/validation.ts'
import {
  ACTION_SLOTS,
  type WallPlace,
  WidgetContent,
  type WidgetContentInput,
  type WidgetContentPatch,
} from '../../contract/widgets.ts'
import { withUpperCaseMethod } from '../action-rules.ts'
import type { UserId } from '../caller.ts'
import { type Instant, later, plusSeconds } from '../instant.ts'
import { mergePatch } from '../merge-patch.ts'
import { anyTemplateViolations } from './templates/any-template.ts'
import { dateViolations } from './templates/dates.ts'
import { templateViolations } from './templates/templates.ts'

export type WidgetId = string & { readonly of: 'widget' }

export type Widget = {
  id: WidgetId
  userId: UserId
  slug: string
  name: string
  content: WidgetContent
  pushThrottleSeconds: number | null
  staleAfterSeconds: number | null
  lastPushedAt: Instant | null
  createdAt: Instant
  updatedAt: Instant
}

export function newWidgetContent(content: WidgetContentInput, now: Instant): WidgetContent {
  return checkedContent(content, content, now)
}

export function patchedWidgetContent(current: WidgetContent, patch: WidgetContentPatch, now: Instant): WidgetContent {
  return checkedContent(mergePatch(current, patch), patch, now)
}

// Compares the stored form of the content, in which -0 is 0.
export function isSameWidget(before: Widget, after: Widget): boolean {
  return (
    before.name === after.name &&
    before.pushThrottleSeconds === after.pushThrottleSeconds &&
    before.staleAfterSeconds === after.staleAfterSeconds &&
    isDeepStrictEqual(before.content, JSON.parse(JSON.stringify(after.content)))
  )
}

export function nextPushAt(widget: Widget, now: Instant): Instant {
  // A time in the future means that the clock was set back; waiting for it could take years.
  if (widget.lastPushedAt === null || widget.lastPushedAt > now) return now
  return later(
    now,
    plusSeconds(widget.lastPushedAt, widget.pushThrottleSeconds ?? LIMITS.widget.pushThrottleSeconds.default),
  )
}

// `sent` is the content of this request: only its dates are compared with now.
function checkedContent(document: unknown, sent: WidgetContentPatch, now: Instant): WidgetContent {
  const content = withoutUnset(document)
  assertShape(content)
  const violations = [...templateViolations(content), ...anyTemplateViolations(content), ...dateViolations(sent, now)]
  if (violations.length > 0) throw widgetContentInvalid(violations)
  return inStoredForm(content)
}

// Wrapped, so that the locations of violations start at the body.
const checkShape = compileCheck(Type.Object({ content: WidgetContent }), 'body')

// A merge can produce a shape that neither the stored content nor the patch had, such as an action without a url.
function assertShape(content: unknown): asserts content is WidgetContent {
  const violations = checkShape({ content })
  if (violations.length > 0) throw widgetContentInvalid(violations)
}

function widgetContentInvalid(errors: Violation[]): Problem {
  return new Problem('widget.content_invalid', inOneSentence(errors), { errors })
}

const UNSET_BY_EMPTY_TEXT = new Set(['severity', 'trend', 'accent_color', 'background_color', 'text_color', 'color'])

function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => !isUnset(name, member))
  return Object.fromEntries(
    members.map(([name, member]) => {
      // A header may have the name of a colour member; "" is a value there.
      if (name === 'headers') return [name, mergePatch({}, member)]
      return [name, withoutUnset(member)]
    }),
  )
}

const isUnset = (name: string, member: unknown) => member === null || (member === '' && UNSET_BY_EMPTY_TEXT.has(name))

function inStoredForm(content: WidgetContent): WidgetContent {
  const stored = { ...content }
  for (const slot of ACTION_SLOTS) {
    const action = content[slot]
    if (action) stored[slot] = withUpperCaseMethod(action)
  }
  if (content.template === 'battery') stored.devices = sortedDevices(content)
  return stored
}

// Without device_sort, and among equals, the sender's order is kept.
function sortedDevices({ devices = [], device_sort = [] }: WidgetContent): BatteryDevice[] {
  return devices.toSorted((a, b) => {
    for (const { field, direction } of device_sort) {
      const difference = field === 'level' ? a.level - b.level : compareNames(a.name, b.name)
      if (difference !== 0) return direction === 'desc' ? -difference : difference
    }
    return 0
  })
}

type BatteryDevice = NonNullable<WidgetContent['devices']>[number]

function compareNames(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()]
  if (left === right) return 0
  return left < right ? -1 : 1
}

// The order and sizes of widgets on the wall.
export type Wall = { places: readonly WallPlace[]; showsClock: boolean }

export const EMPTY_WALL: Wall = { places: [], showsClock: false }

// Every slug once: those that have a place first, in its order; the others after them, in medium size.
export function arrangedOn({ places }: Wall, slugs: readonly string[]): WallPlace[] {
  const sizes = new Map(places.map(({ slug, size }) => [slug, size]))
  const placed = [...sizes.keys()].filter((slug) => slugs.includes(slug))
  const others = slugs.filter((slug) => !sizes.has(slug))
  return [...placed, ...others].map((slug) => ({ slug, size: sizes.get(slug) ?? 'medium' }))
}

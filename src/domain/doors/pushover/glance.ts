// A glance of Pushover, which its watch apps show, as a widget: a number, or a share of a hundred as progress.
import { LIMITS } from '../../../contract/limits.ts'
import type { WidgetContentPatch } from '../../../contract/widgets.ts'
import { cutText, storableText } from '../../text.ts'
import { type PushoverFields, PushoverRefusal } from './message.ts'

export const GLANCE_SLUG = 'glance'

// The members that the request changes.
export function readGlance(fields: PushoverFields): WidgetContentPatch {
  const text = (name: string) => {
    const value = fields.get(name)
    return value === undefined ? undefined : cutText(storableText(value), LIMITS.widget.maxLabelChars)
  }
  const lines = [text('text'), text('subtext')].filter((line) => line !== undefined)
  const count = integerOf(fields, 'count', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  const percent = integerOf(fields, 'percent', 0, 100)
  const content: WidgetContentPatch = {
    ...(count !== undefined && { template: 'value', value: count }),
    ...(percent !== undefined && { template: 'progress', value: percent / 100 }),
    ...(fields.has('title') && { label: text('title') }),
    ...(lines.length > 0 && { subtitle: cutText(lines.join(' · '), LIMITS.widget.maxLabelChars) }),
  }
  if (Object.keys(content).length > 0) return content
  throw new PushoverRefusal(
    'title',
    'cannot be blank',
    'at least one of title, text, subtext, count, percent is required',
  )
}

function integerOf(fields: PushoverFields, name: string, min: number, max: number): number | undefined {
  const value = fields.get(name)?.trim() ?? ''
  if (value === '') return undefined
  const number = /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new PushoverRefusal(name, 'is invalid')
}

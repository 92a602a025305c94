// The kinds of fields of the form. A member is a path in the content, such as `flow.storage.rate`.
import type { RowSource } from './rows.ts'

export type ScalarField =
  | { member: string; kind: 'text' | 'number' | 'color' | 'flag' | 'icon' | 'seconds' }
  // RFC 3339 in widgets, epoch seconds in activities.
  | { member: string; kind: 'moment' | 'unix-moment' }
  // `names`: of options that are the account's own words.
  | { member: string; kind: 'choice'; options: readonly string[]; names?: Record<string, string> }

export type RowsField = {
  member: string
  kind: 'rows'
  source: RowSource
  // The members of the content that the rows are made of.
  covers: readonly string[]
  fields: ScalarField[]
  most: number
  // A new row, made after the last one.
  next: (last: Record<string, unknown> | undefined) => Record<string, unknown>
}

// Fields of one object.
export type GroupField = { member: string; kind: 'group'; fields: ScalarField[] }

// Fields that are folded until they are wanted.
export type FoldField = { member: string; kind: 'fold'; fields: (ScalarField | GroupField)[] }

export type ContentField = ScalarField | RowsField | GroupField | FoldField

export const text = (member: string): ScalarField => ({ member, kind: 'text' })
export const number = (member: string): ScalarField => ({ member, kind: 'number' })
export const seconds = (member: string): ScalarField => ({ member, kind: 'seconds' })
export const moment = (member: string): ScalarField => ({ member, kind: 'moment' })
export const unix = (member: string): ScalarField => ({ member, kind: 'unix-moment' })
export const flag = (member: string): ScalarField => ({ member, kind: 'flag' })
export const icon = (member = 'icon'): ScalarField => ({ member, kind: 'icon' })
export const color = (member: string): ScalarField => ({ member, kind: 'color' })
export const choice = (member: string, options: readonly string[], names?: Record<string, string>): ScalarField => ({
  member,
  kind: 'choice',
  options,
  names,
})

type RowsOptions = Pick<RowsField, 'source' | 'fields' | 'most'> & Partial<Pick<RowsField, 'covers' | 'next'>>

export const rows = (member: string, { covers = [member], next = () => ({}), ...rest }: RowsOptions): RowsField => ({
  member,
  kind: 'rows',
  covers,
  next,
  ...rest,
})

export const group = (member: string, fields: ScalarField[]): GroupField => ({
  member,
  kind: 'group',
  fields: fields.map((field) => ({ ...field, member: `${member}.${field.member}` })),
})

export const TREND = choice('trend', ['up', 'down', 'flat'])
export const BOUNDS = [number('min_value'), number('max_value')]

const ACTION = [text('url'), text('title'), icon(), choice('method', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])]

export const LOOKS: FoldField = {
  member: 'looks',
  kind: 'fold',
  fields: [color('background_color'), color('text_color')],
}

export const BUTTONS: FoldField = {
  member: 'buttons',
  kind: 'fold',
  fields: ['tap_action', 'url_action', 'secondary_url_action'].map((slot) => group(slot, ACTION)),
}

// The places in content at which a field shows violations, its parts included.
export function placesOf(field: ContentField): string[] {
  switch (field.kind) {
    case 'rows':
      return field.covers.map((member) => `content.${member}`)
    case 'fold':
      return field.fields.flatMap(placesOf)
    default:
      return [`content.${field.member}`]
  }
}

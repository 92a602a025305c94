// The definition of a template: its members, its rules, what the server derives, and its timed changes.
import type { Static, TObject, TProperties } from 'typebox'
import type { Violation } from '../../../contract/problems.ts'
import type { Instant } from '../../instant.ts'
import type { CommonFields } from './common.ts'
import { type ActivityContent, without } from './content.ts'

// A change of the content: the stored content (empty after a switch of the template), the sent members, and the time.
export type ContentChange<Fields = ActivityContent> = { before: Fields; sent: Fields; now: Instant }

export type ActivityTemplate<Fields = ActivityContent> = {
  // Its members besides the common ones; all optional here. A switch to another template drops them.
  fields: TProperties
  required: readonly string[]
  // Rules that no schema can state. They get content of the right shape.
  rules?: (content: Fields, change: ContentChange<Fields>) => Violation[]
  // Changes content that has passed the rules.
  derive?: (content: Fields, change: ContentChange<Fields>) => ActivityContent
  // The timed change while the activity is ongoing.
  timer?: {
    dueAt: (content: Fields) => Instant | undefined
    fire: (content: Fields, now: Instant) => { content: ActivityContent; isOver: boolean }
  }
  // The content after the activity has ended.
  end?: (content: Fields) => ActivityContent
  // Ways to shrink the content for a push, the least important member first.
  reductions?: readonly Reduction<Fields>[]
}

// `member` is what a device must fetch to have all of it. Returns undefined if there is nothing to remove.
export type Reduction<Fields = ActivityContent> = {
  member: string
  reduce: (content: Fields) => ActivityContent | undefined
}

// Members are typed inside a template; elsewhere content is a document.
export function defineTemplate<const Fields extends TProperties>(
  fields: Fields,
  template: Omit<ActivityTemplate<FieldsOf<Fields>>, 'fields'>,
): ActivityTemplate {
  return { ...template, fields } as unknown as ActivityTemplate
}

export type FieldsOf<Fields extends TProperties> = Static<TObject<Fields>> & CommonFields & ActivityContent

// Removes a whole member.
export function giveUp(member: string): Reduction {
  return { member, reduce: (content) => (content[member] === undefined ? undefined : without(content, member)) }
}

// What a template is: its members, what it needs and forbids, what the server adds, and what happens by itself.
import type { Static, TObject, TProperties } from 'typebox'
import type { Violation } from '../../../contract/problems.ts'
import type { Instant } from '../../instant.ts'
import type { CommonFields } from './common.ts'
import { type ActivityContent, without } from './content.ts'

// One change of the content: what was stored before (nothing of another template), what the request brings, and when.
export type ContentChange<Fields = ActivityContent> = { before: Fields; sent: Fields; now: Instant }

export type ActivityTemplate<Fields = ActivityContent> = {
  // Its own members beside those of every template; all optional here. A switch to another template drops them.
  fields: TProperties
  required: readonly string[]
  // What no schema states. Asked only of content that has the right shape.
  rules?: (content: Fields, change: ContentChange<Fields>) => Violation[]
  // What the server adds to, or takes out of, content that passed the rules.
  derive?: (content: Fields, change: ContentChange<Fields>) => ActivityContent
  // What happens by itself while the activity is ongoing: when next, and what then.
  timer?: {
    dueAt: (content: Fields) => Instant | undefined
    fire: (content: Fields, now: Instant) => { content: ActivityContent; isOver: boolean }
  }
  // The last content, once the activity ends.
  end?: (content: Fields) => ActivityContent
  // Ways to make it smaller for a push, the least missed first.
  reductions?: readonly Reduction<Fields>[]
}

// `member` is what a device must fetch if it wants all of it. Absent when nothing of it is left to give up.
export type Reduction<Fields = ActivityContent> = {
  member: string
  reduce: (content: Fields) => ActivityContent | undefined
}

// Inside a template its members have types; to everyone else content is a document.
export function defineTemplate<const Fields extends TProperties>(
  fields: Fields,
  template: Omit<ActivityTemplate<FieldsOf<Fields>>, 'fields'>,
): ActivityTemplate {
  return { ...template, fields } as unknown as ActivityTemplate
}

export type FieldsOf<Fields extends TProperties> = Static<TObject<Fields>> & CommonFields & ActivityContent

// Gives up one whole member.
export function giveUp(member: string): Reduction {
  return { member, reduce: (content) => (content[member] === undefined ? undefined : without(content, member)) }
}

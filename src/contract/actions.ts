// Tap targets and buttons. Each surface (widget, activity, notification) picks its members from ACTION_MEMBERS.
import { type Static, Type } from 'typebox'
import { closed, Text } from './fields.ts'
import { LIMITS } from './limits.ts'

export const ACTION_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const

// A pattern instead of an enum: the method is case-insensitive.
const Method = Type.String({
  pattern: `^(?:${ACTION_METHODS.map(inAnyCase).join('|')})$`,
  description: `one of ${ACTION_METHODS.join(', ')}`,
})

// Type.Record would use a pattern that does not match names with a line break, and leave their values unchecked.
const Headers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: `HTTP headers, names and values together at most ${LIMITS.action.maxHeaderBytes} bytes`,
})

export const ACTION_MEMBERS = {
  title: Text(LIMITS.action.maxTitleChars),
  icon: Text(LIMITS.action.maxIconChars),
  url: Text(LIMITS.url.maxChars, { description: 'any scheme but javascript, data, file and vbscript' }),
  method: Method,
  headers: Headers,
  body: Text(LIMITS.action.maxBodyChars),
  foreground: Type.Boolean({ description: 'opens the url instead of calling it silently' }),
}

// For the slots of widgets and activities.
export const SLOT_ACTION = {
  url: ACTION_MEMBERS.url,
  title: Type.Optional(ACTION_MEMBERS.title),
  icon: Type.Optional(ACTION_MEMBERS.icon),
  method: Type.Optional(ACTION_MEMBERS.method),
  headers: Type.Optional(ACTION_MEMBERS.headers),
  body: Type.Optional(ACTION_MEMBERS.body),
  foreground: Type.Optional(ACTION_MEMBERS.foreground),
}
export const WidgetAction = Type.Object(SLOT_ACTION, { ...closed, title: 'Action' })
export type WidgetAction = Static<typeof WidgetAction>

function inAnyCase(word: string): string {
  return [...word].map((letter) => `[${letter}${letter.toLowerCase()}]`).join('')
}

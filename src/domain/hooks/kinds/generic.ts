// Requests of any program: the members that many of them have, else the document itself.
import { levelOfPriority } from '../levels.ts'
import { type Members, membersOf, textOf } from '../members.ts'
import type { HookDocument, HookMessage } from '../message.ts'

const NAMES = {
  title: ['title', 'subject', 'summary'],
  body: ['message', 'text', 'body', 'msg', 'content', 'description'],
  priority: ['priority', 'level', 'severity'],
  url: ['url', 'link', 'click'],
}

export function fromGeneric({ json, text, query }: HookDocument): HookMessage {
  const members = membersOf(json)
  const find = (names: string[]) => firstText(members, names) || firstText(query, names)
  const body = find(NAMES.body)
  const title = find(NAMES.title)
  const priority = find(NAMES.priority)
  return {
    // Empty: the name of the hook.
    title,
    body: body || (title && Object.keys(members).length <= 1 ? '' : documentText(json, text)),
    level: priority ? levelOfPriority(priority) : 'active',
    severity: priority || undefined,
    url: find(NAMES.url),
  }
}

const firstText = (members: Members, names: string[]): string =>
  names.map((name) => textOf(members[name])).find((text) => text !== '') ?? ''

// A longer document is not indented: that takes 10 ms for 20,000 values, and a notification shows only its beginning.
const MOST_INDENTED_CHARS = 16 * 1024

function documentText(json: unknown, text: string): string {
  if (text.length > MOST_INDENTED_CHARS) return text
  const isDocument = typeof json === 'object' && json !== null && Object.keys(json).length > 0
  return isDocument ? JSON.stringify(json, null, 2) : text
}

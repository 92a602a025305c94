// Apprise: the form of its API, and that of its plugin json://, which calls the text `message`.
import { entryOf, membersOf, textOf } from '../members.ts'
import { type HookDocument, type HookReport, type Level, titled } from '../message.ts'

const LEVELS: Record<string, Level> = {
  failure: 'time-sensitive',
  warning: 'active',
  info: 'active',
  success: 'passive',
}

export function fromApprise({ json }: HookDocument): HookReport {
  const { title, body, message, type, format, tag, tags } = membersOf(json)
  const text = textOf(body) || textOf(message)
  if (text === '' && textOf(title) === '') return undefined
  const severity = textOf(type) || 'info'
  return {
    ...titled(textOf(title), text),
    level: entryOf(LEVELS, severity) ?? 'active',
    severity,
    state: severity === 'success' ? 'resolved' : undefined,
    thread: textOf(tag) || textOf(tags) || undefined,
    format: textOf(format) === 'markdown' ? 'markdown' : undefined,
  }
}

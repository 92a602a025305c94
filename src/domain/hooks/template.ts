// The message that the rendered fields of a template make. An alert is never lost because a template fails.
import { cutText } from '../text.ts'
import type { Hook, HookTemplate } from './hook.ts'
import { levelOfPriority } from './levels.ts'
import type { Dropped, HookMessage } from './message.ts'

const YES = ['true', 'yes', '1']

// `otherwise`: the document as a generic one, for the fields that the template does not have.
export function fromTemplate(fields: HookTemplate, otherwise: HookMessage): HookMessage | Dropped {
  if (YES.includes(fields.drop?.trim().toLowerCase() ?? '')) return { dropped: 'The template says drop.' }
  const level = fields.level?.trim()
  return {
    title: fields.title?.trim() || otherwise.title,
    body: fields.body === undefined ? otherwise.body : fields.body,
    level: level ? levelOfPriority(level) : otherwise.level,
    severity: level || undefined,
    url: fields.url === undefined ? otherwise.url : fields.url.trim(),
    thread: fields.thread_id?.trim() || undefined,
    collapse: fields.collapse_id?.trim() || undefined,
  }
}

const SHOWN_CHARS = 500

export const fromFailedTemplate = ({ name }: Pick<Hook, 'name'>, error: string, text: string): HookMessage => ({
  title: `The template of ${name} failed`,
  body: `${error}\n\n${cutText(text, SHOWN_CHARS)}`,
  level: 'active',
})

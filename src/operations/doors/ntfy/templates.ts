// Templates of ntfy, which make a message of the webhook of another service. The built-in ones are kinds of our hooks;
// this server has no others.

import { LIMITS } from '../../../contract/limits.ts'
import { priorityOf } from '../../../domain/doors/ntfy/mapping.ts'
import { isYes } from '../../../domain/doors/ntfy/parameters.ts'
import type { NtfyMessage, NtfyPublication } from '../../../domain/doors/ntfy/publication.ts'
import { NtfyRefusal } from '../../../domain/doors/ntfy/refusal.ts'
import { readDocument } from '../../../domain/hooks/document.ts'
import { readReport } from '../../../domain/hooks/kinds.ts'
import { isDropped } from '../../../domain/hooks/message.ts'
import { cutText, storableText } from '../../../domain/text.ts'

const BUILT_IN = ['github', 'grafana', 'alertmanager'] as const

const isBuiltIn = (name: string): name is (typeof BUILT_IN)[number] => BUILT_IN.some((one) => one === name)

const NO_INLINE_TEMPLATES = `templates in a request are not supported here; use ${BUILT_IN.join(', ')}, or a hook of the kind template`

// What the request says besides, such as a priority, goes before what the template says.
export async function renderTemplate(
  { name, document }: NonNullable<NtfyPublication['template']>,
  message: NtfyMessage,
): Promise<NtfyMessage> {
  if (isYes(name)) throw new NtfyRefusal(40045, NO_INLINE_TEMPLATES)
  if (!isBuiltIn(name)) throw new NtfyRefusal(40047, name.slice(0, 64))
  const read = await readDocument({ method: 'POST', headers: {}, query: '', body: document })
  if (read.json === undefined) throw new NtfyRefusal(40042)
  const report = readReport(name, read, {})
  if (isDropped(report)) throw new NtfyRefusal(40045, report.dropped)
  const { title, body, level, url } = report
  return {
    ...message,
    title: message.title ?? (cutText(storableText(title), LIMITS.notification.maxTitleChars) || undefined),
    message: cutText(storableText(body).trim(), LIMITS.notification.maxBodyChars) || title,
    priority: message.priority ?? priorityOf(level),
    click: message.click ?? (url || undefined),
  }
}

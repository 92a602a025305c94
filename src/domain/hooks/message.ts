// What a request to a hook says, in the terms of all kinds.
import type { NotificationView } from '../../contract/notifications/notification.ts'
import type { HookOptions } from './hook.ts'
import type { Members } from './members.ts'

export type Level = NotificationView['level']

// A request as kinds read it. `json` is the parsed body, or the fields of a form or of the query; `text` is the body.
export type HookDocument = {
  headers: Record<string, string>
  query: Record<string, string>
  text: string
  json: unknown
}

export type HookAction = { id: string; title: string; url: string }

export type HookMessage = {
  title: string
  body: string
  level: Level
  // In the sender's own word, which the option `level` may map.
  severity?: string
  // An alert that lasts, and its end.
  state?: 'firing' | 'resolved'
  url?: string
  image?: string
  thread?: string
  // The same in all messages about one thing, such as an alert and its end.
  collapse?: string
  actions?: HookAction[]
  format?: 'markdown'
  // The event of GitHub, Gitea, Forgejo or GitLab, such as `push` or `pull_request.opened`.
  event?: string
  // A success that is worth telling only after a failure.
  onlyAfterFiring?: true
  // The run of CI that the message is about, if the hook shows runs as activities.
  run?: HookRun
  // The beginning of a run, or an end that is worth no notification.
  isRunOnly?: true
}

// `content` is that of an activity.
export type HookRun = { slug: string; name: string; isOver: boolean; content: Members }

const MOST_TITLE_LINE_CHARS = 120

// A title and a body that do not repeat each other. The first of several lines is the title if there is none; the sender
// stands for what is missing.
export function titled(title: string, body: string, sender = ''): Pick<HookMessage, 'title' | 'body'> {
  if (title !== '') return { title, body: body || sender }
  const end = body.indexOf('\n')
  const isTitle = end !== -1 && end <= MOST_TITLE_LINE_CHARS
  return isTitle ? { title: body.slice(0, end), body: body.slice(end + 1) } : { title: sender, body }
}

export type Dropped = { dropped: string }

// Undefined: the document is not of this kind.
export type HookReport = HookMessage | Dropped | undefined

export type ReadHook = (document: HookDocument, options: HookOptions) => HookReport

export const isDropped = (report: HookMessage | Dropped): report is Dropped => 'dropped' in report

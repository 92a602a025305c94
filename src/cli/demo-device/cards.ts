// What the demo device draws: notifications, widgets and live activities as boxes of text.
import colors from 'picocolors'
import type { ActivityView } from '../../contract/activities.ts'
import type { NotificationView } from '../../contract/notifications/notification.ts'
import type { WidgetView } from '../../contract/widgets.ts'
import { printable, printableLine } from '../output.ts'

type Action = NonNullable<NotificationView['actions']>[number]

// The actions whose answer the server records; the others open a link or the app.
export const answerableActions = ({ actions = [] }: NotificationView): Action[] =>
  actions.filter((action) => !action.url && !action.foreground)

export function notificationCard(notification: NotificationView): string {
  const { title, subtitle, body, level, source_display_name: source } = notification
  const choices = answerableActions(notification).map((action, index) => {
    const hint = action.text_input ? ' …' : ''
    return colors.cyan(`[${index + 1}] ${printableLine(action.title)}${hint}`)
  })
  return box('yellow', [
    headline(title, source ? `${printableLine(source)} · ${level}` : level),
    ...(subtitle ? [printableLine(subtitle)] : []),
    ...printable(body).split('\n'),
    ...(choices.length > 0
      ? [choices.join('   '), colors.dim('type a number to answer, and text after it where … stands')]
      : []),
  ])
}

export function widgetCard({ name, content }: WidgetView): string {
  const { template, label, value, unit, subtitle, stat_rows: rows = [] } = content
  const main = value === undefined ? [] : [`${value}${unit ? ` ${unit}` : ''}`]
  const lines = [...main, ...texts(label, subtitle), ...rows.map((row) => `${row.label}  ${row.value}`)]
  return box('blue', [headline(name, `widget · ${template}`), ...lines.map(printableLine)])
}

// Members of the content depend on the template; these are common to all.
type ActivityContent = { template?: string; state?: string; subtitle?: string; progress?: number }

export function activityCard({ name, state, content }: ActivityView): string {
  const { template, state: text, subtitle, progress } = content as ActivityContent
  const facts = ['live activity', template, state].filter((fact) => fact !== undefined)
  return box('magenta', [
    headline(name, facts.join(' · ')),
    ...texts(text, subtitle).map(printableLine),
    ...(progress === undefined ? [] : [progressBar(progress)]),
  ])
}

const texts = (...some: (string | undefined)[]): string[] => some.filter((text): text is string => Boolean(text))

const headline = (title: string, facts: string): string => `${colors.bold(printableLine(title))}  ${colors.dim(facts)}`

const BAR_CHARS = 24

function progressBar(progress: number): string {
  const full = Math.round(progress * BAR_CHARS)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CHARS - full)} ${Math.round(progress * 100)} %`
}

function box(color: 'yellow' | 'blue' | 'magenta', lines: string[]): string {
  const line = colors[color]
  return ['', line('╭─'), ...lines.map((text) => `${line('│')} ${text}`), line('╰─')].join('\n')
}

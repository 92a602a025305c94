// heliograph schedule add | list | rm: notifications for later, once or in a series.
import { Command, Option } from 'commander'
import { LIMITS } from '../../contract/limits.ts'
import type { ScheduleInput, ScheduleView } from '../../contract/schedules.ts'
import { wholeNumber } from '../../runtime/setting-values.ts'
import { commandGroup, print, printableLine } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { apiFor } from './api.ts'
import { readBody } from './arguments/message-body.ts'
import {
  type NotificationOptions,
  notificationFrom,
  withNotificationOptions,
} from './arguments/notification-options.ts'
import { asClient, timestamp } from './arguments/options.ts'
import { allPages, tableOf } from './common-commands.ts'

export const scheduleCommand = (): Command =>
  commandGroup(
    'schedule',
    'send notifications later, once or in a series',
    'heliograph schedule add "Stand-up" "In ten minutes" --cron "20 9 * * mon-fri"',
    [addCommand(), listCommand(), removeCommand()],
  )

type AddOptions = NotificationOptions & {
  at?: string
  cron?: string
  timezone?: string
  until?: string
  count?: number
  json?: boolean
}

function addCommand(): Command {
  const command = new Command('add')
    .description('add a notification that is sent at a time, or by a cron expression')
    .argument('<title>')
    .argument('[body]', 'can come by a pipe; "-" reads standard input')
    .option('--at <time>', '18:30 or 2026-12-24T18:30:00Z; with --cron: the start', optionParser(timestamp))
    .option('--cron <expression>', 'minute hour day month weekday, or @daily')
    .option('--timezone <name>', 'of the cron expression (default: that of this machine)')
    .option('--until <time>', 'when the series ends', optionParser(timestamp))
    .option('--count <number>', 'how often it is sent', optionParser(wholeNumber(1, LIMITS.schedule.maxCount)))
  withNotificationOptions(command)
  asClient(command, 'heliograph schedule add Bins "Paper today" --cron "0 19 * * tue"')
  return command.action(async (title: string, body: string | undefined, options: AddOptions) => {
    if (options.at === undefined && options.cron === undefined) command.error('error: say when: --at or --cron')
    const api = apiFor(command)
    const notification = notificationFrom(title, await readBody(body), options)
    const input: ScheduleInput = { ...notification, send_at: options.at, recurrence: recurrenceOf(options) }
    const { body: made } = await api<ScheduleView>('POST', '/notifications/scheduled', input)
    print(options.json, made, `will send ${made.id} at ${made.send_at}`)
  })
}

function recurrenceOf({ cron, timezone, until, count }: AddOptions): ScheduleInput['recurrence'] {
  if (cron === undefined) return undefined
  return { cron, timezone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, until, count }
}

const STATUSES = ['scheduled', 'sent', 'failed', 'canceled', 'all']

function listCommand(): Command {
  const command = new Command('list')
    .description('list the schedules')
    .addOption(new Option('--status <status>', 'only these (default: scheduled)').choices(STATUSES))
  asClient(command, 'heliograph schedule list --status all')
  return command.action(async (options: { status?: string; json?: boolean }) => {
    const filter = { ...(options.status && { status: options.status }) }
    const items = await allPages<ScheduleView>(apiFor(command), '/notifications/scheduled', 'cursor', filter)
    const rows = items.map((schedule) => [
      String(schedule.id),
      schedule.failure_reason ?? schedule.status,
      schedule.send_at,
      printableLine(schedule.recurrence?.cron ?? 'once'),
      printableLine(schedule.title ?? ''),
    ])
    print(options.json, { items }, tableOf(['ID', 'STATUS', 'DUE', 'REPEATS', 'TITLE'], rows, 'no schedules'))
  })
}

function removeCommand(): Command {
  const command = new Command('rm')
    .description('cancel a schedule; its record stays readable for a day')
    .argument('<id>', 'id of the schedule, as "heliograph schedule list" prints it')
    .option('--purge', 'delete its record as well')
  asClient(command, 'heliograph schedule rm 3')
  return command.action(async (id: string, options: { purge?: boolean; json?: boolean }) => {
    const query = options.purge ? '?purge=true' : ''
    await apiFor(command)('DELETE', `/notifications/scheduled/${encodeURIComponent(id)}${query}`)
    print(options.json, { id: Number(id), canceled: true }, `canceled schedule ${id}`)
  })
}

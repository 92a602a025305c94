// heliograph inbox: the notifications of the account, and new ones as they arrive.
import { Command, Option } from 'commander'
import { LIMITS } from '../../../contract/limits.ts'
import type { NotificationList, NotificationView } from '../../../contract/notifications/notification.ts'
import { wholeNumber } from '../../../runtime/setting-values.ts'
import { bold, dim, print, printable, printableLine } from '../../output.ts'
import { optionParser } from '../../settings-options.ts'
import { type Api, apiOf, type Server, serverFor } from '../api.ts'
import { LEVELS } from '../arguments/notification-options.ts'
import { asClient, timestamp } from '../arguments/options.ts'
import { runInOrder } from './exec.ts'
import { followNotifications } from './follow.ts'

type Options = {
  limit: number
  unread?: boolean
  source?: string
  thread?: string
  level?: string
  since?: string
  search?: string
  follow?: boolean
  exec?: string
  json?: boolean
}

export function inboxCommand(): Command {
  const { max } = LIMITS.page.items
  const command = new Command('inbox')
    .description('print the newest notifications, the oldest of them first')
    .option('-n, --limit <number>', `how many, 1 to ${max}`, optionParser(wholeNumber(1, max)), 20)
    .option('--unread', 'only unread ones')
    .option('--source <id>', 'only those of this source')
    .option('--thread <id>', 'only those of this thread')
    .addOption(new Option('--level <level>', 'only those of this level').choices(Object.keys(LEVELS)))
    .option('--since <time>', 'only later ones', optionParser(timestamp))
    .option('--search <text>', 'only those with this text in title or body')
    .option('-f, --follow', 'then print new ones as they arrive; --json prints one object a line')
    .addOption(
      new Option('--exec <command>', 'follow, and run this shell command for each new one').implies({ follow: true }),
    )
    .addHelpText('after', EXEC_HELP)
  asClient(command, 'heliograph inbox --follow --source ci')
  return command.action(async (options: Options) => {
    const server = serverFor(command)
    const list = () => newest(apiOf(server), options)
    if (options.follow) return follow(server, list, options)
    const { items, ...rest } = await list()
    if (options.json) return print(true, { items: items.toReversed(), ...rest }, '')
    for (const notification of items) show(notification)
  })
}

const EXEC_HELP = `
--exec runs one command at a time, in the order of arrival; its exit code does
not end the program. The command finds the notification in the variables
NOTIFICATION_ID, _TITLE, _SUBTITLE, _BODY, _LEVEL, _SOURCE, _THREAD, _LINK,
_CREATED_AT and _JSON:
  heliograph inbox -q --exec 'notify-send "$NOTIFICATION_TITLE"'`

async function follow(server: Server, list: () => Promise<NotificationList>, options: Options): Promise<never> {
  const run = options.exec === undefined ? undefined : runInOrder(options.exec)
  // Those that are there before the stream opens are printed, and nothing is run for them.
  const newestId = run && Math.max(0, ...(await list()).items.map(({ id }) => id))
  return followNotifications(server, list, matching(options), (one) => {
    show(one, options.json)
    if (newestId !== undefined && one.id > newestId) run?.(one)
  })
}

// Oldest first, as they would have been printed when they arrived.
async function newest(api: Api, options: Options): Promise<NotificationList> {
  const { limit, unread, source, thread, level, since, search } = options
  const filters = { limit, unread, source, thread_id: thread, level, since, q: search }
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  const { body } = await api<NotificationList>('GET', `/notifications?${query}`)
  return { ...body, items: body.items.toReversed() }
}

// The filters, for notifications of the event stream.
function matching({ source, thread, level, search }: Options) {
  const wanted = search?.toLowerCase() ?? ''
  return (notification: NotificationView): boolean =>
    (source === undefined || notification.source === source) &&
    (thread === undefined || notification.thread_id === thread) &&
    (level === undefined || notification.level === level) &&
    `${notification.title}\n${notification.body}`.toLowerCase().includes(wanted)
}

function show(notification: NotificationView, asJson?: boolean): void {
  print(asJson, notification, notificationInWords(notification))
}

function notificationInWords(notification: NotificationView): string {
  const { id, title, body, level, source, source_display_name: name, created_at: createdAt } = notification
  const details = [
    createdAt,
    name ?? source,
    level === 'active' ? undefined : level,
    notification.read_at ? undefined : 'unread',
  ]
  const head = `${dim(String(id))}  ${bold(printableLine(title))}  ${dim(printableLine(details.filter(Boolean).join(' · ')))}`
  const lines = printable(body).split('\n')
  return [head, ...lines.map((line) => `    ${line}`)].join('\n')
}

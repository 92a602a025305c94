// heliograph heartbeat create | list | ping | rm
import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import type { HeartbeatInput, HeartbeatView } from '../../../contract/heartbeats.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { commandGroup, print, printableLine } from '../../output.ts'
import { apiFor, apiOf, serverFor } from '../api.ts'
import { LEVELS } from '../arguments/notification-options.ts'
import { asClient, withDuration } from '../arguments/options.ts'
import { listCommand, removeBySlug } from '../common-commands.ts'
import { isPingAddress, pingerAt, pingerOf } from '../ping.ts'

export const heartbeatCommand = (): Command =>
  commandGroup(
    'heartbeat',
    'hear when a job, a backup or a device falls silent',
    'heliograph heartbeat create backup --cron "0 3 * * *" --grace 1h',
    [
      createCommand(),
      listHeartbeats(),
      pingCommand(),
      removeBySlug('heartbeat', 'delete a heartbeat and its pings', 'backup', '/heartbeats'),
    ],
  )

type CreateOptions = {
  name?: string
  every?: number
  cron?: string
  timezone?: string
  grace?: number
  maxRun?: number
  level?: HeartbeatInput['level']
  acknowledge?: boolean
  escalation?: string
  widget?: boolean
  json?: boolean
}

function createCommand(): Command {
  const command = new Command('create')
    .description('create a heartbeat, or change the one with this slug, and print its address')
    .argument('<slug>')
    .option('--name <text>', 'name in the alert (default: the slug)')
  withDuration(command, '--every <duration>', 'longest time between two pings', LIMITS.heartbeat.everySeconds)
    .option('--cron <expression>', 'when pings are due: minute hour day month weekday, or @daily')
    .option('--timezone <name>', 'of the cron expression (default: that of this machine)')
  withDuration(command, '--grace <duration>', 'how late a ping may be (default: 5m)', LIMITS.heartbeat.graceSeconds)
  withDuration(
    command,
    '--max-run <duration>',
    'how long a run may take (default: the grace)',
    LIMITS.heartbeat.maxRunSeconds,
  )
    .addOption(new Option('--level <level>', 'of the alert (default: time-sensitive)').choices(Object.keys(LEVELS)))
    .option('--acknowledge', 'repeat the alert until someone acknowledges it')
    .option('--escalation <slug>', 'the same, and follow this policy while nobody does')
    .option('--widget', 'show the status as a widget')
  asClient(command, 'heliograph heartbeat create sensor --every 10m --level critical')
  return command.action(async (slug: string, options: CreateOptions) => {
    if ((options.every === undefined) === (options.cron === undefined)) command.error('error: give --every or --cron')
    const { status, body } = await apiFor(command)<HeartbeatView>('POST', '/heartbeats', inputFrom(slug, options))
    print(options.json, body, `${status === 201 ? 'created' : 'changed'} ${slug}\n${body.ping_url}`)
  })
}

const inputFrom = (slug: string, options: CreateOptions): HeartbeatInput => ({
  slug,
  name: options.name ?? slug,
  every_seconds: options.every,
  ...(options.cron && {
    cron: options.cron,
    timezone: options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  }),
  grace_seconds: options.grace,
  max_run_seconds: options.maxRun,
  level: options.level,
  ...((options.acknowledge || options.escalation) && { acknowledge: { escalation: options.escalation } }),
  ...(options.widget && { widget: true }),
})

const listHeartbeats = (): Command =>
  listCommand<HeartbeatView>('heartbeat', 'list the heartbeats and their status', {
    path: '/heartbeats',
    head: ['SLUG', 'STATUS', 'LAST PING', 'DUE', 'NAME'],
    row: ({ slug, status, last_ping_at: last = 'never', next_due_at: due = '-', name }) => [
      slug,
      status,
      last,
      due,
      printableLine(name),
    ],
    none: 'no heartbeats yet',
  })

type PingOptions = { start?: boolean; fail?: boolean; log?: boolean; status?: string; json?: boolean }

function pingCommand(): Command {
  const command = new Command('ping')
    .description('ping a heartbeat: a success, unless an option says otherwise')
    .argument('<heartbeat>', 'its slug, or its address, which needs no token')
    .argument('[body]', 'kept with the ping; "-" reads standard input')
    .addOption(new Option('--start', 'a run begins').conflicts(['fail', 'log', 'status']))
    .addOption(new Option('--fail', 'a run has failed').conflicts(['log', 'status']))
    .addOption(new Option('--log', 'keep the body; changes nothing else').conflicts('status'))
    .option('--status <number>', 'exit status of the run: 0 is a success')
  asClient(command, 'heliograph heartbeat ping backup --status $?')
  return command.action(async (which: string, body: string | undefined, options: PingOptions) => {
    const ping = isPingAddress(which) ? pingerAt(which) : await pingerFor(command, which)
    await ping(actionOf(options), body === '-' ? await text(process.stdin) : body)
    print(options.json, { pinged: true }, 'pinged')
  })
}

function pingerFor(command: Command, slug: string) {
  const server = serverFor(command)
  return pingerOf(apiOf(server), server, slug)
}

function actionOf({ start, fail, log, status }: PingOptions): string {
  if (status !== undefined) return `/${encodeURIComponent(status)}`
  if (start) return '/start'
  if (fail) return '/fail'
  return log ? '/log' : ''
}

// heliograph activity start | update | end | list | get | show | rm
import { Command, Option } from 'commander'
import type { ActivityPatch, ActivityView } from '../../contract/activities.ts'
import { LIMITS } from '../../contract/limits.ts'
import { wholeNumber } from '../../runtime/setting-values.ts'
import { columns, commandGroup, print, printableLine } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { apiFor } from './api.ts'
import { type Content, contentFrom, withContent } from './arguments/content-arguments.ts'
import { asClient, withDuration } from './arguments/options.ts'
import { allPages, removeBySlug, showing, tableOf } from './common-commands.ts'
import { showCommand } from './show.ts'

// As a record, so that the compiler finds a missing sound.
const SOUNDS: Record<Exclude<ActivityPatch['sound'], '' | null | undefined>, true> = {
  default: true,
  chime: true,
  alert: true,
  success: true,
  warning: true,
  bell: true,
  ding: true,
  buzz: true,
  notification: true,
}

export const activityCommand = (): Command =>
  commandGroup(
    'activity',
    'start, update and end live activities',
    'heliograph activity start build state=Testing progress=0.4',
    [
      startCommand(),
      updateCommand(),
      endCommand(),
      listCommand(),
      getCommand(),
      showCommand({
        noun: 'activity',
        path: '/activities',
        families: 'card, compact or badge',
        example: 'build',
      }),
      removeBySlug('activity', 'delete an activity', 'build', '/activities'),
    ],
  )

const pathOf = (slug: string) => `/activities/${encodeURIComponent(slug)}`

type ChangeOptions = { sound?: ActivityPatch['sound']; priority?: number; content?: string; json?: boolean }

// A command that patches an activity.
function changeCommand(name: string, description: string): Command {
  const command = new Command(name).description(description).argument('<slug>')
  const sounds = Object.keys(SOUNDS)
  return withContent(command).addOption(new Option('--sound <name>', 'sound to play').choices(sounds))
}

const withPriority = (command: Command) =>
  command.option('--priority <number>', '0 (lowest) to 10', optionParser(wholeNumber(0, LIMITS.activity.maxPriority)))

async function change(command: Command, path: string, patch: ActivityPatch, json?: boolean): Promise<void> {
  const { body } = await apiFor(command)<ActivityView>('PATCH', path, patch)
  print(json, body, `${body.slug} is ${body.state}`)
}

type StartOptions = ChangeOptions & { name?: string; staleAfter?: number; deleteAfter?: number }

function startCommand(): Command {
  const command = changeCommand('start', 'start an activity on the devices; creates it if there is none')
  const ttl = { min: 1, max: LIMITS.activity.maxTtlSeconds }
  withPriority(command).option('--name <text>', 'name of the activity (default for a new one: the slug)')
  withDuration(command, '--stale-after <duration>', 'end it if it is not updated for this long', ttl)
  withDuration(command, '--delete-after <duration>', 'delete it this long after its end', ttl)
  asClient(command, 'heliograph activity start build template=steps total_steps=3 current_step=1')
  return command.action(async (slug: string, assigned: Content | undefined, options: StartOptions) => {
    const content = await contentFrom(command, assigned, options.content)
    const { name, priority, staleAfter, deleteAfter, sound, json } = options
    const ttls = { stale_ttl: staleAfter, ended_ttl: deleteAfter }
    if (name !== undefined) await apiFor(command)('POST', '/activities', { slug, name, priority, ...ttls })
    const patch = { state: 'ongoing', content: content ?? { template: 'generic' }, priority, sound, ...ttls }
    await change(command, `${pathOf(slug)}?upsert=true`, patch, json)
  })
}

function updateCommand(): Command {
  const command = withPriority(changeCommand('update', 'change what an activity shows'))
  asClient(command, 'heliograph activity update build state=Testing progress=0.8')
  return command.action(async (slug: string, assigned: Content | undefined, options: ChangeOptions) => {
    const content = await contentFrom(command, assigned, options.content)
    const { priority, sound, json } = options
    if (content === undefined && priority === undefined) command.error('error: give something to update: NAME=VALUE')
    await change(command, pathOf(slug), { content, priority, sound }, json)
  })
}

function endCommand(): Command {
  const command = changeCommand('end', 'end an activity; it stays on the lock screen for a while')
  asClient(command, 'heliograph activity end build state=Shipped --sound success')
  return command.action(async (slug: string, assigned: Content | undefined, options: ChangeOptions) => {
    const content = await contentFrom(command, assigned, options.content)
    await change(command, pathOf(slug), { state: 'ended', content, sound: options.sound }, options.json)
  })
}

function listCommand(): Command {
  const command = new Command('list')
    .description('list the activities')
    .addOption(new Option('--state <state>', 'only these').choices(['ongoing', 'ended', 'preempted']))
  asClient(command, 'heliograph activity list --state ongoing')
  return command.action(async (options: { state?: string; json?: boolean }) => {
    const filter = { ...(options.state && { state: options.state }) }
    const items = await allPages<ActivityView>(apiFor(command), '/activities', 'after', filter)
    const rows = items.map(({ slug, state, content, updated_at: updatedAt }) => [
      slug,
      state,
      printableLine(String(content.state ?? '')),
      updatedAt,
    ])
    print(options.json, { items }, tableOf(['SLUG', 'STATE', 'SHOWS', 'UPDATED'], rows, 'no activities'))
  })
}

const getCommand = (): Command => {
  const command = new Command('get').description('show an activity').argument('<slug>')
  return showing(command, 'heliograph activity get build', pathOf, activityInWords)
}

function activityInWords({ slug, name, state, priority, content, updated_at: updatedAt }: ActivityView): string {
  const members = Object.entries(content).map(([member, value]) => [
    `content.${printableLine(member)}`,
    printableLine(typeof value === 'string' ? value : JSON.stringify(value)),
  ])
  const head = [
    ['slug', slug],
    ['name', printableLine(name)],
    ['state', state],
    ['priority', String(priority)],
  ]
  return columns([...head, ...members, ['updated', updatedAt]])
}

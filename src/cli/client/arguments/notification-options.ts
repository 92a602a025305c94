// The members of a notification as options, for every command that sends one.
import { type Command, Option } from 'commander'
import { LIMITS } from '../../../contract/limits.ts'
import type { NotificationAction, NotificationInput } from '../../../contract/notifications/notification.ts'
import { optionParser } from '../../settings-options.ts'
import { namedValue, numberWithin, repeatable, withDuration } from './options.ts'

type Level = NonNullable<NotificationInput['level']>
// As a record, so that the compiler finds a missing level.
export const LEVELS: Record<Level, true> = { passive: true, active: true, 'time-sensitive': true, critical: true }

type TargetEntry = [kind: 'groups' | 'tags' | 'members', name: string]

// What -p of ntfy takes.
const PRIORITIES: Record<string, Level> = {
  ...{ 1: 'passive', 2: 'passive', 3: 'active', 4: 'time-sensitive', 5: 'critical' },
  ...{ min: 'passive', low: 'passive', default: 'active', high: 'time-sensitive', max: 'critical', urgent: 'critical' },
}

export type NotificationOptions = {
  subtitle?: string
  level?: Level
  volume?: number
  sound?: string
  link?: string
  image?: string
  icon?: string
  source?: string
  sourceName?: string
  thread?: string
  collapse?: string
  activity?: string
  metadata?: [string, string][]
  target?: TargetEntry[]
  action?: NotificationAction[]
  open?: NotificationAction[]
  push?: boolean
  ack?: boolean
  repeat?: number
  expire?: number
  escalation?: string
  tag?: string[]
  callback?: string
}

// "TITLE [BODY]", or "-t TITLE [BODY]".
export function withTitle(command: Command): Command {
  return command
    .argument('[title]')
    .argument('[body]', 'can come by a pipe; "-" reads standard input (default: "from" and this host)')
    .usage('[options] <title> [body]')
    .option('-t, --title <text>', 'the title; the only argument is then the body')
}

export function titleAndBody(command: Command): [title: string, body: string | undefined] {
  const { title } = command.opts<{ title?: string }>()
  const [first, second] = command.args
  if (title === undefined && first === undefined) command.error("error: missing required argument 'title'")
  if (title !== undefined && second !== undefined)
    command.error('error: give the title once, as argument or by --title')
  return title === undefined ? [String(first), second] : [title, first]
}

export function withNotificationOptions(command: Command): Command {
  const level = new Option('-p, --level <level>', 'how much it interrupts; also 1 to 5, as in ntfy')
  return command
    .option('--subtitle <text>', 'line between title and body')
    .addOption(level.choices(Object.keys(LEVELS)).argParser(optionParser(levelFrom)))
    .option('--volume <number>', 'of a critical one, 0 to 1', optionParser(numberWithin(0, 1)))
    .option('--sound <name>', 'such as bell, siren or none')
    .option('-C, --link <url>', 'what a tap opens')
    .option('--image <url>', 'picture to show, https')
    .option('-i, --icon <url>', 'icon to show')
    .option('--source <id>', 'what sends it, to filter by')
    .option('--source-name <text>', 'what sends it, to show')
    .option('--thread <id>', 'group it with others on the device')
    .option('--collapse <id>', 'replace an earlier one with this id')
    .option('--activity <slug>', 'link it to a live activity')
    .addOption(repeatable('--metadata <name=value>', 'data for the app; repeatable', namedValue))
    .addOption(repeatable('--target <kind:name>', 'group:, tag: or member: of an organization', targetEntry))
}

export function withAcknowledgeOptions(command: Command): Command {
  const { repeatSeconds, expireSeconds } = LIMITS.acknowledge
  command.option('--ack', 'repeat it until someone acknowledges it')
  withDuration(command, '--repeat <duration>', 'with --ack: how often (default: 1m)', repeatSeconds)
  withDuration(command, '--expire <duration>', 'with --ack: how long (default: 1h)', expireSeconds)
  return command
    .option('--escalation <slug>', 'with --ack: policy to follow while nobody does')
    .addOption(repeatable('--tag <tag>', 'with --ack: label to cancel it by', (text) => text))
    .option('--callback <url>', 'with --ack: gets a POST when it ends')
}

export function withActionOptions(command: Command): Command {
  return command
    .addOption(repeatable('-A, --action <id=label[=url]>', 'button: recorded, or requests the URL', action))
    .addOption(repeatable('--open <id=label=url>', 'button that opens the URL', openAction))
}

export function levelFrom(text: string): Level {
  const level = Object.hasOwn(PRIORITIES, text) ? PRIORITIES[text] : text
  if (level !== undefined && Object.hasOwn(LEVELS, level)) return level as Level
  throw new Error(`one of ${Object.keys(LEVELS).join(', ')}, or a priority from 1 to 5`)
}

export function notificationFrom(title: string, body: string, options: NotificationOptions): NotificationInput {
  const { image, metadata, target } = options
  const actions = [...(options.action ?? []), ...(options.open ?? [])]
  return {
    title,
    body,
    subtitle: options.subtitle,
    level: options.level,
    volume: options.volume,
    sound: options.sound,
    url: options.link,
    media: image === undefined ? undefined : { url: image, type: 'image' },
    icon_url: options.icon,
    source: options.source,
    source_display_name: options.sourceName,
    thread_id: options.thread,
    collapse_id: options.collapse,
    activity_slug: options.activity,
    metadata: metadata && Object.fromEntries(metadata),
    target: target && targetOf(target),
    actions: actions.length > 0 ? actions : undefined,
    push: options.push === false ? false : undefined,
    acknowledge: acknowledgeOf(options),
    tags: options.tag,
    callback_url: options.callback,
  }
}

// --repeat, --expire and --escalation ask for an acknowledgement too.
function acknowledgeOf(options: NotificationOptions): NotificationInput['acknowledge'] {
  const { ack, repeat, expire, escalation } = options
  if (!ack && repeat === undefined && expire === undefined && escalation === undefined) return undefined
  return { repeat_seconds: repeat, expire_seconds: expire, escalation }
}

type TargetLists = { [Kind in TargetEntry[0]]?: string[] }

export function targetOf(entries: TargetEntry[]): TargetLists {
  const lists: TargetLists = {}
  for (const [kind, name] of entries) lists[kind] = [...(lists[kind] ?? []), name]
  return lists
}

export function targetEntry(text: string): TargetEntry {
  const [, kind, name] = /^(group|tag|member):(.+)$/.exec(text) ?? []
  if (!kind || !name) throw new Error('group:NAME, tag:NAME or member:USER-ID')
  return [`${kind}s` as TargetEntry[0], name]
}

// The label ends where "=" and an address without spaces follow.
const LABEL_AND_URL = /^(.+?)=([a-z][a-z0-9+.-]*:\S+)$/i

export function action(text: string): NotificationAction {
  const [id, rest] = idAndLabel(text)
  const [, title = rest, url] = LABEL_AND_URL.exec(rest) ?? []
  return { id, title, url }
}

function openAction(text: string): NotificationAction {
  const opened = action(text)
  if (!opened.url) throw new Error('of the form ID=LABEL=URL')
  return { ...opened, foreground: true }
}

function idAndLabel(text: string): [string, string] {
  const [, id, label] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (!id || !label) throw new Error('of the form ID=LABEL')
  return [id, label]
}

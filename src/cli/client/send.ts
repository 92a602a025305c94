// heliograph send: a notification, now or later.
import { Command } from 'commander'
import { LIMITS } from '../../contract/limits.ts'
import type { SentNotificationView } from '../../contract/notifications/notification.ts'
import type { ScheduleView } from '../../contract/schedules.ts'
import { print } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { apiFor } from './api.ts'
import { readBody } from './arguments/message-body.ts'
import {
  type NotificationOptions,
  notificationFrom,
  titleAndBody,
  withAcknowledgeOptions,
  withActionOptions,
  withNotificationOptions,
  withTitle,
} from './arguments/notification-options.ts'
import { asClient, timestamp, timestampIn, withDuration } from './arguments/options.ts'

type Options = NotificationOptions & {
  at?: string
  in?: number
  idempotencyKey?: string
  dryRun?: boolean
  json?: boolean
}

const LONGEST_DELAY = { min: 1, max: LIMITS.schedule.horizonDays * 86_400 }

export function sendCommand(): Command {
  const command = new Command('send').description('send a notification, now or later').summary('send a notification')
  withTitle(command)
  withNotificationOptions(command)
  withActionOptions(command)
  withAcknowledgeOptions(command)
  command
    .option('--no-push', 'put it into the inbox only')
    .option('--at <time>', 'send it later: 18:30 or 2026-12-24T18:30:00Z', optionParser(timestamp))
  withDuration(command, '-D, --in <duration>', 'send it later: 90, 10m or 1h30m', LONGEST_DELAY)
  command
    .option('--idempotency-key <key>', 'a repeated call with this key sends nothing')
    .option('--dry-run', 'show what would be pushed, and send nothing')
  asClient(command, 'heliograph send "Backup done" "412 files, 3 GB" --source backup')
  return command.action(() => send(command, command.opts<Options>()))
}

async function send(command: Command, options: Options): Promise<void> {
  const [title, argument] = titleAndBody(command)
  if (options.at !== undefined && options.in !== undefined) command.error('error: give --at or --in, not both')
  const sendAt = options.in === undefined ? options.at : timestampIn(options.in)
  const api = apiFor(command)
  const notification = notificationFrom(title, await readBody(argument), options)
  const path = sendAt === undefined ? '/notifications' : '/notifications/scheduled'
  const body = sendAt === undefined ? notification : { ...notification, send_at: sendAt }
  if (options.dryRun) {
    const { body: preview } = await api<object>('POST', `${path}?dry_run=true`, body)
    return print(options.json, preview, JSON.stringify(preview, null, 2))
  }
  const headers = { ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }) }
  const { body: made } = await api<SentNotificationView | ScheduleView>('POST', path, body, headers)
  print(options.json, made, 'status' in made ? `will send ${made.id} at ${made.send_at}` : deliveryInWords(made))
}

const WHY_NOT: Record<NonNullable<SentNotificationView['reason']>, string> = {
  no_apns_token: 'no device is registered',
  apns_rejected: 'no device has accepted the push',
  push_disabled: 'in the inbox only',
  muted: 'the person has muted it',
  quiet_hours: 'held by the quiet hours of the person',
  storm: 'over the limit of the storm shield',
}

export function deliveryInWords({ id, delivery, reason }: SentNotificationView): string {
  if (delivery === 'all') return `sent ${id} to all devices`
  if (delivery === 'partial') return `sent ${id} to some devices; others have not accepted the push`
  return `stored ${id}; ${reason ? WHY_NOT[reason] : 'no device has it'}`
}

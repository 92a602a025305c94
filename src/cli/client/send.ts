// heliograph send: a notification, now or later.
import { basename } from 'node:path'
import { Command } from 'commander'
import type { FileView } from '../../contract/files.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { SentNotificationView } from '../../contract/notifications/notification.ts'
import type { ScheduleView } from '../../contract/schedules.ts'
import { DAY_SECONDS, fromRfc3339 } from '../../domain/instant.ts'
import { systemClock } from '../../runtime/clock.ts'
import { print } from '../output.ts'
import { optionParser } from '../settings-options.ts'
import { type Api, apiFor } from './api.ts'
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
import { asClient, repeatable, timestamp, timestampIn, withDuration } from './arguments/options.ts'
import { formOf, readPayload } from './upload.ts'

type Options = NotificationOptions & {
  at?: string
  in?: number
  file?: string[]
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
    .addOption(repeatable('--file <path>', 'file to attach; repeatable', (text) => text))
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
  const files = options.file ?? []
  if (options.dryRun && sendAt && files.length > 0) command.error('error: --dry-run uploads no file of a later message')
  const body =
    sendAt !== undefined
      ? { ...notification, send_at: sendAt, attachments: await upload(api, files, sendAt) }
      : files.length > 0
        ? formOf('notification', notification, files)
        : notification
  if (options.dryRun) {
    const { body: preview } = await api<object>('POST', `${path}?dry_run=true`, body)
    return print(options.json, preview, JSON.stringify(preview, null, 2))
  }
  const headers = { ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }) }
  const { body: made } = await api<SentNotificationView | ScheduleView>('POST', path, body, headers)
  print(options.json, made, 'status' in made ? `will send ${made.id} at ${made.send_at}` : deliveryInWords(made))
}

// Files of a later message must last until it is sent.
async function upload(api: Api, files: string[], sendAt: string): Promise<{ file_id: string }[] | undefined> {
  if (files.length === 0) return undefined
  const days = Math.max(1, Math.ceil((fromRfc3339(sendAt) - systemClock.now()) / (DAY_SECONDS * 1000)))
  const uploaded = []
  for (const path of files) {
    const query = new URLSearchParams({ name: basename(path), keep_days: String(days) })
    const { body } = await api<FileView>('POST', `/files?${query}`, readPayload(path))
    uploaded.push({ file_id: body.id })
  }
  return uploaded
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

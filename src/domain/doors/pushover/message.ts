// A message for Pushover, read from the fields of a request by Pushover's rules.

import { Problem } from '../../../contract/problems.ts'
import { storableText } from '../../text.ts'

export type PushoverFields = ReadonlyMap<string, string>

export type PushoverMessage = {
  user: string
  message: string
  title?: string
  priority: Priority
  url?: string
  url_title?: string
  device?: string
  sound?: string
  timestamp?: string
  ttl?: string
  html?: 1
  monospace?: 1
  // Title, message and addresses are sealed for the app, and kept unread.
  encrypted?: 1
  // With priority 2.
  retry?: number
  expire?: number
  callback?: string
  tags?: string[]
}

export type Priority = -2 | -1 | 0 | 1 | 2
export const EMERGENCY = 2

const MIN_RETRY_SECONDS = 30
// Pushover accepts more, which healthchecks.io sends, and stops then all the same.
const MAX_EXPIRE_SECONDS = 10_800
// More than we keep of them.
const MOST_TAGS = 100

export function readPushoverMessage(fields: PushoverFields): PushoverMessage {
  const text = (name: string) => storableText(fields.get(name) ?? '') || undefined
  const user = requireUserKey(fields)
  const message = text('message')
  if (message === undefined || message.trim() === '') throw new PushoverRefusal('message', 'cannot be blank')
  const [html, monospace] = [isYes(fields.get('html')), isYes(fields.get('monospace'))]
  if (html && monospace) throw new PushoverRefusal('html', 'cannot be used with monospace')
  const priority = readPriority(fields.get('priority'))
  return {
    user,
    message,
    title: text('title'),
    priority,
    url: text('url'),
    url_title: text('url_title'),
    device: text('device'),
    sound: text('sound'),
    timestamp: text('timestamp'),
    ttl: text('ttl'),
    html: html ? 1 : undefined,
    monospace: monospace ? 1 : undefined,
    encrypted: isYes(fields.get('encrypted')) ? 1 : undefined,
    ...(priority === EMERGENCY && readEmergency(fields)),
  }
}

// Any value: the token decides the account.
export function requireUserKey(fields: PushoverFields): string {
  const user = storableText(fields.get('user') ?? '').trim()
  if (user !== '') return user.slice(0, 2048)
  throw new PushoverRefusal('user', 'invalid', 'user identifier is not a valid user, group, or subscribed user key')
}

const isYes = (value: string | undefined) => value === '1' || value === 'true'

function readPriority(value = ''): Priority {
  const priority = value.trim() === '' ? 0 : Number(value)
  if (Number.isInteger(priority) && priority >= -2 && priority <= EMERGENCY) return priority as Priority
  throw new PushoverRefusal('priority', 'is invalid', 'priority is invalid, can only be -2, -1, 0, 1, or 2')
}

function readEmergency(fields: PushoverFields): Pick<PushoverMessage, 'retry' | 'expire' | 'callback' | 'tags'> {
  const expire = Math.min(secondsOf(fields, 'expire'), MAX_EXPIRE_SECONDS)
  const retry = secondsOf(fields, 'retry')
  if (retry < MIN_RETRY_SECONDS) {
    throw new PushoverRefusal(
      'retry',
      `is too small, must be at least ${MIN_RETRY_SECONDS} seconds`,
      'retry is invalid',
    )
  }
  const tags = (fields.get('tags') ?? '').split(',', MOST_TAGS).map((tag) => tag.trim())
  return { retry, expire, callback: fields.get('callback') || undefined, tags: tags.filter((tag) => tag !== '') }
}

function secondsOf(fields: PushoverFields, name: 'retry' | 'expire'): number {
  const value = fields.get(name)?.trim() ?? ''
  if (value === '') throw new PushoverRefusal(name, 'must be supplied with priority=2')
  if (/^\d{1,9}$/.test(value)) return Number(value)
  throw new PushoverRefusal(name, 'is invalid')
}

// A request that Pushover would refuse, too: the field that is wrong, and what is wrong with it, in Pushover's words.
export class PushoverRefusal extends Problem {
  readonly field: string
  // Follows the name of the field.
  readonly reason: string
  // The sentence, if it is not the field and the reason.
  readonly sentence: string

  constructor(field: string, reason: string, sentence = `${field} ${reason}`) {
    super('request.body_invalid', sentence)
    this.field = field
    this.reason = reason
    this.sentence = sentence
  }
}

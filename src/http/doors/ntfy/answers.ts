// Answers in the form of ntfy.
import { LIMITS } from '../../../contract/limits.ts'
import type { Problem, ProblemName } from '../../../contract/problems.ts'
import type { AccountOverview } from '../../../domain/accounts/account.ts'
import { RESERVED_TOPICS } from '../../../domain/doors/ntfy/publication.ts'
import { type NtfyCode, type NtfyError, NtfyRefusal, ntfyError } from '../../../domain/doors/ntfy/refusal.ts'
import { type Instant, toUnixSeconds } from '../../../domain/instant.ts'
import type { PublishedMessage } from '../../../operations/doors/ntfy/publish.ts'
import type { FileAllowance } from '../../../operations/files/keep.ts'

export function messageAnswer({ id, sequence, at, expiresAt, topic, message }: PublishedMessage): object {
  const { title, message: text, priority, tags, click, icon, actions, attachment, content_type, encoding } = message
  return {
    id,
    // Apps take the id for the sequence if there is none.
    ...(sequence !== undefined && sequence !== id && { sequence_id: sequence }),
    time: toUnixSeconds(at),
    expires: expiresAt && toUnixSeconds(expiresAt),
    event: 'message',
    topic,
    title,
    message: text,
    priority,
    tags,
    click,
    icon,
    actions,
    attachment,
    content_type,
    encoding,
  }
}

type SequenceEvent = { event: 'message_delete' | 'message_clear'; topic: string; sequence: string }

export const sequenceAnswer = (id: string, { event, topic, sequence }: SequenceEvent, now: Instant): object => ({
  id,
  sequence_id: sequence,
  time: toUnixSeconds(now),
  event,
  topic,
})

// A request between servers of ntfy, which tells apps to ask for a message. No app is subscribed here.
export const pollRequestAnswer = (id: string, { topic, pollId }: { topic: string; pollId: string }, now: Instant) => ({
  id,
  time: toUnixSeconds(now),
  event: 'poll_request',
  topic,
  message: 'New message',
  poll_id: pollId,
})

export function ntfyErrorOf(problem: Problem): { status: number; body: NtfyError } {
  const body = problem instanceof NtfyRefusal ? problem.ntfy : errorFor(problem)
  return { status: body.http, body }
}

const CODES: Partial<Record<ProblemName, NtfyCode>> = {
  'email.not_enabled': 40001,
  'event_stream.limit_exceeded': 42903,
  'file.limit_exceeded': 41301,
  'quota.exceeded': 42908,
  'rate_limit.refusals_exceeded': 42909,
}

const CODES_OF_STATUS: Record<number, NtfyCode> = {
  401: 40101,
  403: 40301,
  404: 40401,
  409: 42901,
  413: 41301,
  429: 42901,
}

function errorFor({ problem, status, detail, members }: Problem): NtfyError {
  const isForEmails = problem === 'quota.exceeded' && members.kind === 'emails'
  const code = isForEmails ? 42902 : (CODES[problem] ?? CODES_OF_STATUS[status])
  if (code !== undefined) return ntfyError(code)
  return status >= 500 ? { ...ntfyError(50001), http: status } : ntfyError(40000, detail)
}

type Counts = { used: number; limit: number | null }
const NO_COUNTS: Counts = { used: 0, limit: 0 }
// ntfy has no word for unlimited.
const UNLIMITED = 1_000_000

export function accountAnswer(account: AccountOverview | undefined, files: FileAllowance | undefined): object {
  const { notifications = NO_COUNTS, emails = NO_COUNTS } = account?.usage ?? {}
  const limitOf = ({ limit }: Counts) => limit ?? UNLIMITED
  const remaining = (counts: Counts) => Math.max(limitOf(counts) - counts.used, 0)
  return {
    username: account ? account.user.name : '*',
    role: account ? 'user' : 'anonymous',
    limits: {
      basis: account ? 'tier' : 'ip',
      messages: limitOf(notifications),
      messages_expiry_duration: 0,
      emails: limitOf(emails),
      calls: 0,
      reservations: 0,
      attachment_total_size: files?.mostBytes ?? 0,
      attachment_file_size: files?.mostFileBytes ?? 0,
      attachment_expiry_duration: LIMITS.file.keptHours * 3600,
      attachment_bandwidth: files?.mostBytes ?? 0,
    },
    stats: {
      messages: notifications.used,
      messages_remaining: remaining(notifications),
      emails: emails.used,
      emails_remaining: remaining(emails),
      calls: 0,
      calls_remaining: 0,
      reservations: 0,
      reservations_remaining: 0,
      attachment_total_size: files?.usedBytes ?? 0,
      attachment_total_size_remaining: files ? Math.max(files.mostBytes - files.usedBytes, 0) : 0,
    },
  }
}

export const configAnswer = (baseUrl: string, hasEmails: boolean): object => ({
  base_url: baseUrl,
  app_root: '/',
  enable_login: true,
  require_login: true,
  enable_signup: false,
  enable_payments: false,
  enable_calls: false,
  enable_emails: hasEmails,
  enable_reservations: false,
  enable_web_push: false,
  billing_contact: '',
  web_push_public_key: '',
  disallowed_topics: RESERVED_TOPICS,
})

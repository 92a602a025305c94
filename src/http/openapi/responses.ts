// The responses of an operation: the successful ones with their headers, and the problems grouped by status.
import { STATUS_CODES } from 'node:http'
import { PROBLEMS, type ProblemName, problemCode } from '../../contract/problems.ts'

export const HEADERS = {
  RetryAfter: {
    description: 'Seconds to wait before the next attempt; `retry_after_ms` has the same in milliseconds.',
    schema: { type: 'integer' },
  },
  ResourceAction: {
    description: 'Whether the request created or updated the resource. Absent in a dry run.',
    schema: { type: 'string', enum: ['created', 'updated'] },
  },
  IdempotentReplayed: {
    description: 'Present when an earlier request with this Idempotency-Key was carried out; this is its response.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const VIOLATION = {
  type: 'object',
  properties: {
    location: { type: 'string', description: 'The member, such as `body.content.value`.' },
    message: { type: 'string' },
    value: { description: 'The value that was sent, unless it may be a secret.' },
  },
  required: ['location', 'message'],
}

const PROBLEM = {
  type: 'object',
  description: 'An RFC 9457 problem.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string', description: 'The name of the status.' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence for people.' },
    instance: { type: 'string', description: 'The request id, which the server’s log has too.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    errors: { type: 'array', items: { $ref: '#/components/schemas/Violation' } },
    retry_after_ms: { type: 'integer', description: 'Milliseconds to wait before the next attempt.' },
    reset_at: { type: 'string', format: 'date-time', description: 'With `quota.exceeded`: when the quota resets.' },
    answer: {
      $ref: '#/components/schemas/Answer',
      description: 'With `notification_answer.already_answered`: the answer that came first.',
    },
  },
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
}

const codesOf = (names: readonly ProblemName[]) => [...new Set(names.map(problemCode))]

export const PROBLEM_SCHEMAS = {
  Problem: PROBLEM,
  ProblemCode: {
    type: 'string',
    description: 'Codes are stable: releases may add some, and never rename one.',
    enum: codesOf(Object.keys(PROBLEMS) as ProblemName[]).sort(),
  },
  Violation: VIOLATION,
}

// Sets of problems that several operations share. Every other set is written with its operation.
const TOKEN_REFUSED = [
  'session.foreign_request',
  'screen.not_permitted',
  'widget.token_not_permitted',
  'device.app_not_permitted',
] as const
const PERMISSION_DENIED = ['integration_key.permission_denied', ...TOKEN_REFUSED] as const
const MANAGER_REQUIRED = ['integration_key.default_key_required', ...TOKEN_REFUSED] as const
const SHARED: Record<string, readonly ProblemName[]> = {
  HeaderInvalid: ['request.header_invalid'],
  BodyInvalid: ['request.header_invalid', 'request.body_required', 'request.body_invalid'],
  SlugInvalid: ['request.header_invalid', 'slug.invalid'],
  BodyOrSlugInvalid: ['request.header_invalid', 'request.body_required', 'request.body_invalid', 'slug.invalid'],
  CursorInvalid: ['request.header_invalid', 'cursor.invalid'],
  CodeInvalid: ['token.invalid'],
  TokenInvalid: ['token.invalid', 'integration_key.expired'],
  TokenNotPermitted: TOKEN_REFUSED,
  PermissionDenied: PERMISSION_DENIED,
  SlugNotPermitted: [...PERMISSION_DENIED, 'integration_key.slug_invalid'],
  KeyManagerRequired: MANAGER_REQUIRED,
  DefaultKeyProtected: [...MANAGER_REQUIRED, 'integration_key.default_target'],
  IdTooLong: ['request.header_invalid', 'path.too_long'],
  IdTooLongOrBodyInvalid: ['request.header_invalid', 'path.too_long', 'request.body_required', 'request.body_invalid'],
  IdTooLongOrCursorInvalid: ['request.header_invalid', 'path.too_long', 'cursor.invalid'],
  IdTooLongOrSlugInvalid: ['request.header_invalid', 'path.too_long', 'slug.invalid'],
  OrgRoleDenied: [...PERMISSION_DENIED, 'org.role_denied'],
  OrgNotFound: ['org.not_found'],
  OrgMemberNotFound: ['org.not_found', 'org_member.not_found'],
  OrgGroupNotFound: ['org.not_found', 'org_group.not_found'],
  OrgGroupMemberNotFound: ['org.not_found', 'org_group.not_found', 'org_member.not_found'],
  OrgNotificationNotFound: ['org.not_found', 'notification.not_found'],
  OrgKeyNotFound: ['org.not_found', 'integration_key.not_found'],
  OrgActivityNotFound: ['org.not_found', 'activity.not_found'],
  OrgScheduleNotFound: ['org.not_found', 'scheduled_notification.not_found'],
  OrgReceiptNotFound: ['org.not_found', 'notification_receipt.not_found'],
  OrgLimitReached: ['org.limit_exceeded'],
  OrgMemberUnknown: ['request.validation_failed', 'org.target_unknown'],
  KeyTargetInvalid: ['request.validation_failed', 'org.target_invalid', 'org.target_unknown', 'org.target_unavailable'],
  NotificationInvalid: [
    'request.validation_failed',
    'notification.activity_not_found',
    'notification.answer_url_unavailable',
    'notification.encrypted_too_large',
    'notification_receipt.disabled',
    'escalation.unknown',
    'escalation.after_expiry',
    'org.target_unavailable',
    'idempotency.key_reused',
  ],
  WidgetNotFound: ['widget.not_found'],
  ActivityNotFound: ['activity.not_found'],
  DeviceNotFound: ['device.not_found'],
  NotificationNotFound: ['notification.not_found'],
  AnswerNotFound: ['notification_answer.not_found'],
  ReceiptNotFound: ['notification_receipt.not_found'],
  ScheduleNotFound: ['scheduled_notification.not_found'],
  RecipientNotFound: ['email.recipient_not_found'],
  KeyNotFound: ['integration_key.not_found'],
  HeartbeatNotFound: ['heartbeat.not_found'],
  OrgHeartbeatNotFound: ['org.not_found', 'heartbeat.not_found'],
  ScreenNotFound: ['screen.not_found'],
  PictureNotEnabled: ['picture.not_enabled'],
  ScreenOrPictureMissing: ['screen.not_found', 'picture.not_enabled'],
  PictureTooLarge: ['request.validation_failed', 'picture.too_large'],
  PictureFailed: ['internal_error', 'picture.failed'],
  PictureBusy: ['service.unavailable', 'picture.busy'],
  AlreadyAnswered: ['notification_answer.already_answered'],
  ActivityLimitReached: ['activity.limit_exceeded'],
  KeyLimitReached: ['integration_key.limit_exceeded'],
  BodyTooLarge: ['request.too_large'],
  MediaTypeUnsupported: ['request.media_type_unsupported'],
  ValidationFailed: ['request.validation_failed'],
  WidgetInvalid: ['request.validation_failed', 'widget.content_invalid'],
  ActionUnknown: ['request.validation_failed', 'notification_answer.action_unknown'],
  RateLimited: ['rate_limit.exceeded'],
  RefusalsLimited: ['rate_limit.exceeded', 'rate_limit.refusals_exceeded'],
  QuotaExceeded: ['rate_limit.exceeded', 'quota.exceeded'],
  TooManyStreams: ['rate_limit.exceeded', 'event_stream.limit_exceeded'],
  TooManyWaits: ['rate_limit.exceeded', 'answer_wait.limit_exceeded'],
  InternalError: ['internal_error'],
  Unavailable: ['service.unavailable'],
  MailUnavailable: ['service.unavailable', 'email.not_enabled'],
}

export const sharedResponses = () =>
  Object.fromEntries(Object.entries(SHARED).map(([name, problems]) => [name, problemResponse(problems)]))

export function problemResponses(names: readonly ProblemName[]): Record<string, object> {
  const statuses = [...new Set(names.map((name) => PROBLEMS[name].status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const problems = names.filter((name) => PROBLEMS[name].status === status)
      const shared = Object.entries(SHARED).find(([, set]) => isSameSet(set, problems))
      return [status, shared ? { $ref: `#/components/responses/${shared[0]}` } : problemResponse(problems)]
    }),
  )
}

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

// The schema narrows `code`, so that generated clients know which codes the operation has.
function problemResponse(names: readonly ProblemName[]): object {
  const [first] = names
  const status = first ? PROBLEMS[first].status : 500
  const code = { type: 'string', enum: codesOf(names) }
  const narrowed = { type: 'object', properties: { code }, required: ['code'] }
  return {
    description: names.map((name) => `\`${problemCode(name)}\`: ${PROBLEMS[name].when}`).join('\n\n'),
    ...((status === 429 || status === 503) && {
      headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
    }),
    content: {
      'application/problem+json': { schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, narrowed] } },
    },
  }
}

export const statusDescription = (status: string) => `${STATUS_CODES[status]}.`

// The table of all problems: code, status, and the sentence of docs/errors.md and openapi.json. Codes are public: add,
// never rename.

export const PROBLEMS = {
  'token.invalid': { status: 401, when: 'The token is missing, malformed, unknown or revoked.' },
  'session.foreign_request': {
    status: 403,
    when: 'The console’s cookie came with a request that is not from the console’s own pages.',
  },
  'session.not_found': { status: 404, when: 'The account has no such session.' },
  'sign_in_request.not_found': {
    status: 404,
    when: 'No browser waits for an approval with this code: it is mistyped, expired, or was answered.',
  },
  'sign_in_request.ended': { status: 410, when: 'The request to sign in was refused, has expired, or was used.' },
  'invitation.invalid': { status: 410, when: 'The code is unknown, used up, expired or deleted.' },
  'invitation.account_required': {
    status: 403,
    when: 'This server makes no accounts by invitations of this kind; the person needs one to join.',
  },
  'invitation.limit_exceeded': {
    status: 409,
    when: 'The invitations of this person, or of people that they invited, have made as many accounts as the operator allows.',
  },
  'passkey.not_found': { status: 404, when: 'The account has no such passkey.' },
  'passkey.invalid': { status: 401, when: 'The passkey is unknown, or its signature is not valid for this server.' },
  'passkey.registration_invalid': {
    status: 400,
    when: 'The new passkey cannot be verified, is registered already, or answers an old challenge.',
  },
  'passkey.limit_exceeded': { status: 409, when: 'The account already has its largest number of passkeys.' },
  'passkey.origin_invalid': {
    status: 400,
    when: 'The server is not reached at an https address with a host name, nor at http://localhost.',
  },
  'integration_key.expired': { status: 401, when: 'The integration key is past its `expires_at`.' },
  'integration_key.permission_denied': {
    status: 403,
    when: 'The token’s level is too low; `detail` names the level needed.',
  },
  'integration_key.slug_invalid': { status: 403, when: 'The slug is not in the list of slugs that this key may use.' },
  'integration_key.slug_list_invalid': {
    status: 400,
    code: 'integration_key.slug_invalid',
    when: 'An entry of a slug list is neither a slug nor a prefix with a trailing `*`.',
  },
  'integration_key.default_key_required': {
    status: 403,
    when: 'Only a full-access token or the account’s default key may manage keys.',
  },
  'integration_key.default_target': { status: 403, when: 'The default key may not act on a default key.' },
  'integration_key.default_locked': { status: 400, when: 'The default key cannot be changed.' },
  'integration_key.grant_exceeded': { status: 403, when: 'A key cannot grant more permissions than it has.' },
  'integration_key.permissions_conflict': {
    status: 400,
    when: 'Both `permissions` and the older `scope`, `notifications`, `widgets`, `emails` members were sent.',
  },
  'integration_key.expires_at_invalid': { status: 400, when: '`expires_at` is not in the future.' },
  'integration_key.limit_exceeded': { status: 409, when: 'The account already has its largest number of keys.' },
  'integration_key.alias_limit_exceeded': { status: 409, when: 'The key already has its largest number of aliases.' },
  'integration_key.alias_not_found': { status: 404, when: 'The key has no alias with this id.' },
  'integration_key.not_found': { status: 404, when: 'The account has no key with this id.' },
  'hook.not_found': { status: 404, when: 'The account has no hook with this id, or no hook has this address.' },
  'hook.limit_exceeded': { status: 409, when: 'The account already has its largest number of hooks.' },
  'hook.template_invalid': {
    status: 400,
    when: 'A hook of the kind `template` has no template, another kind has one, or a template cannot be parsed; see `errors`.',
  },
  'hook.request_not_found': { status: 404, when: 'The request with this number is not kept, or no longer.' },
  'hook.request_incomplete': {
    status: 409,
    when: 'The request was too large to be kept whole, so it cannot be replayed.',
  },
  'hook.signature_invalid': {
    status: 401,
    when: 'The hook has a secret, and the request does not prove that it knows it.',
  },
  'screen.not_found': {
    status: 404,
    when: 'The account has no such screen link; or, at the address of one, the link is unknown, revoked or expired, or does not show this.',
  },
  'screen.not_permitted': {
    status: 403,
    when: 'The token of a screen link (`hls_…`) came in `Authorization`; it is only for addresses under `/s/`.',
  },
  'screen.limit_exceeded': { status: 409, when: 'The account already has its largest number of screen links.' },
  'screen.not_enabled': {
    status: 404,
    when: 'The operator has switched off screen links, or the door for TRMNL displays.',
  },
  'picture.too_large': { status: 422, when: 'The picture would have more pixels than the server draws.' },
  'picture.busy': { status: 503, when: 'Too many pictures wait to be drawn.' },
  'picture.failed': { status: 500, when: 'The picture could not be drawn within its limits of time and memory.' },
  'picture.not_enabled': { status: 404, when: 'The operator has switched off pictures.' },
  'request.body_required': { status: 400, when: 'The body is empty or changes nothing.' },
  'request.body_invalid': {
    status: 400,
    when: 'The body is not valid JSON, has too many or too deeply nested values, or comes in too many small chunks.',
  },
  'request.header_invalid': { status: 400, when: 'A header is malformed or sent twice.' },
  'request.origin_forbidden': {
    status: 403,
    when: 'The `Origin` or `Host` of a request at `/mcp` is not an address of this server.',
  },
  'request.validation_failed': { status: 422, when: 'The request does not have the described shape; see `errors`.' },
  'request.too_large': { status: 413, when: 'The body is larger than 1 MiB.' },
  'request.media_type_unsupported': {
    status: 415,
    when: 'The endpoint does not accept this Content-Type or Content-Encoding.',
  },
  'request.expectation_failed': { status: 417, when: 'The Expect header asks for something other than 100-continue.' },
  'request.timeout': { status: 408, when: 'The request did not arrive in time.' },
  'request.headers_too_large': { status: 431, when: 'The request headers are too large.' },
  'slug.invalid': { status: 400, when: 'The slug in the path is malformed.' },
  'path.too_long': { status: 400, when: 'A part of the path is too long.' },
  'cursor.invalid': { status: 400, when: 'The cursor is not a `next_cursor` of this list.' },
  'route.not_found': { status: 404, when: 'No resource has this path.' },
  'route.method_not_allowed': { status: 405, when: 'The path does not support this method; see `Allow`.' },
  'widget.content_invalid': { status: 422, when: 'The content does not satisfy the rules of its template.' },
  'widget.not_found': { status: 404, when: 'The account has no widget with this slug.' },
  'widget.limit_exceeded': { status: 429, when: 'The account already has its largest number of widgets.' },
  'widget.token_not_permitted': { status: 403, when: 'A widget token may only read widgets.' },
  'device.app_not_permitted': {
    status: 403,
    when: 'The password of a phone app may only receive, at the address of its service.',
  },
  'activity.content_invalid': { status: 422, when: 'The content does not satisfy the rules of its template.' },
  'activity.state_invalid': {
    status: 400,
    when: 'The requested state is not ongoing or ended, or the current state of the activity does not allow this.',
  },
  'activity.priority_invalid': { status: 400, when: 'The priority is not from 0 to 10.' },
  'activity.not_found': {
    status: 404,
    when: 'The account has no activity with this slug or id, and none is shared with it.',
  },
  'activity.limit_exceeded': { status: 409, when: 'The account already has its largest number of activities.' },
  'activity.upsert_forbidden': {
    status: 403,
    when: '`?upsert=true` may create an activity, so it needs `activities:manage`.',
  },
  'activity.viewer_forbidden': {
    status: 403,
    when: 'The activity is shared with the account, whose role does not allow this.',
  },
  'share.not_found': { status: 404, when: 'The account has no share or share code with this id.' },
  'share.code_invalid': { status: 410, when: 'The share code is unknown, used up, expired or deleted.' },
  'share.own': { status: 409, when: 'The share code is the account’s own.' },
  'share.owner_required': { status: 403, when: 'Only the owner of a share changes its role.' },
  'share.limit_exceeded': {
    status: 409,
    when: 'There are as many open codes, recipients or received shares as allowed; see `kind` and `limit`.',
  },
  'subscription.required': {
    status: 403,
    when: 'Creating share codes and organizations, and joining by a pattern code, need a paid plan.',
  },
  'permission.editor_requires_paid_recipient': { status: 403, when: 'An editor must be on a paid plan.' },
  'permission.free_recipient_limit_exceeded': {
    status: 403,
    when: 'The owner already shares with as many accounts on a free plan as allowed.',
  },
  'permission.free_share_limit_exceeded': {
    status: 403,
    when: 'The account already has as many shared activities as its plan allows.',
  },
  'device.not_found': { status: 404, when: 'The account has no device with this id.' },
  'device.channel_unavailable': {
    status: 422,
    when: 'The server has no key for the app of this kind; `detail` names the other way.',
  },
  'device.address_invalid': {
    status: 422,
    when: 'The address is not one that the app shows, may not be reached, or does not answer as a server of its kind.',
  },
  'device.nothing_pending': { status: 409, when: 'No phone asks to take the place of this device, or no longer.' },
  'device.endpoint_not_found': { status: 404, when: 'The device has no endpoint of UnifiedPush with this id.' },
  'device.limit_exceeded': { status: 409, when: 'The account already has as many devices as its plan allows.' },
  'notification.invalid': { status: 400, when: 'The notification breaks a rule that no schema states; see `errors`.' },
  'notification.not_found': { status: 404, when: 'The inbox has no notification with this id.' },
  'notification.activity_not_found': { status: 422, when: 'The account has no activity with this `activity_slug`.' },
  'notification.answer_url_unavailable': {
    status: 422,
    when: 'An action has no url, so the server would record its answer, but the operator has disabled answers.',
  },
  'notification.encryption_unavailable': { status: 422, when: 'An organization key cannot send `encrypted`.' },
  'notification.encrypted_too_large': {
    status: 422,
    when: 'The envelope and the rest of the notification do not fit into one push of 4 KB.',
  },
  'wall_link.not_found': { status: 404, when: 'The account has no such link to its wall.' },
  'wall_link.limit_exceeded': {
    status: 409,
    when: 'The account already has its largest number of links to its wall.',
  },
  'notification.ringing': {
    status: 409,
    when: 'The alert still repeats, so it cannot be snoozed; acknowledge it or stop it first.',
  },
  'mute.not_found': { status: 404, when: 'The account has no such mute, or it has ended.' },
  'mute.limit_exceeded': { status: 409, when: 'The account already has its largest number of mutes.' },
  'notification_answer.not_found': {
    status: 404,
    when: 'The notification does not exist or has no action without a url.',
  },
  'notification_answer.already_answered': {
    status: 409,
    when: 'The notification was answered before; `answer` has that answer.',
  },
  'notification_answer.action_unknown': {
    status: 422,
    when: 'The notification has no action with this id, or the action has a url and takes no answer.',
  },
  'notification_receipt.disabled': { status: 422, when: 'The operator has disabled `acknowledge`.' },
  'notification_receipt.not_found': {
    status: 404,
    when: 'The notification does not exist or was sent without `acknowledge`.',
  },
  'notification_receipt.limit_exceeded': {
    status: 409,
    when: 'The account already has its largest number of alerts that wait to be acknowledged.',
  },
  'scheduled_notification.invalid': {
    status: 400,
    when: 'The time or the recurrence breaks a rule that no schema states; see `errors`.',
  },
  'scheduled_notification.not_found': { status: 404, when: 'The schedule does not exist, or another key created it.' },
  'scheduled_notification.not_pending': { status: 409, when: 'The schedule was sent, has failed or was canceled.' },
  'scheduled_notification.limit_exceeded': {
    status: 409,
    when: 'The account already has its largest number of pending schedules.',
  },
  'heartbeat.not_found': { status: 404, when: 'The account has no heartbeat with this slug.' },
  'heartbeat.limit_exceeded': {
    status: 409,
    when: 'The account already has as many heartbeats as its plan allows.',
  },
  'heartbeat.invalid': { status: 400, when: 'The heartbeat breaks a rule that no schema states; see `errors`.' },
  'escalation.not_found': { status: 404, when: 'The account has no escalation policy with this slug.' },
  'escalation.unknown': {
    status: 422,
    when: '`acknowledge.escalation`, or the option `escalation` of a hook, names no escalation policy of the account.',
  },
  'escalation.after_expiry': {
    status: 422,
    when: 'The alert expires (`acknowledge.expire_seconds`) before the last step of its escalation policy.',
  },
  'escalation.invalid': { status: 400, when: 'The policy breaks a rule that no schema states; see `errors`.' },
  'escalation.limit_exceeded': {
    status: 409,
    when: 'The account already has as many escalation policies as its plan allows.',
  },
  'escalation.in_use': {
    status: 409,
    when: 'Heartbeats, hooks or pending schedules name this policy; `used_by` counts them, `?force=true` deletes it.',
  },
  'answer_wait.limit_exceeded': { status: 429, when: 'The account already has its largest number of open waits.' },
  'event_stream.limit_exceeded': {
    status: 429,
    when: 'The account already has its largest number of open event streams.',
  },
  'email.invalid': { status: 400, when: 'The e-mail breaks a rule that no schema states; see `errors`.' },
  'email.not_found': {
    status: 404,
    when: 'The e-mail that the first request with this Idempotency-Key sent is no longer kept.',
  },
  'email.recipient_not_verified': {
    status: 403,
    when: 'E-mail goes only to recipients of the account that have confirmed their address.',
  },
  'email.recipient_not_found': { status: 404, when: 'The account has no e-mail recipient with this id.' },
  'email.recipient_limit_exceeded': {
    status: 409,
    when: 'The account already has its largest number of e-mail recipients.',
  },
  'email.not_enabled': { status: 503, when: 'The operator has configured no mail server.' },
  'file.not_enabled': { status: 503, when: 'The operator has disabled uploads.' },
  'file.not_found': { status: 404, when: 'There is no file with this id, or it has expired.' },
  'file.range_invalid': { status: 416, when: 'The Range header asks for bytes that the file does not have.' },
  'file.too_large': { status: 413, when: 'The file is larger than the operator allows.' },
  'file.in_use': { status: 400, when: 'The file is attached to another notification or schedule.' },
  'file.limit_exceeded': {
    status: 409,
    when: 'The account already has as many files, or as many bytes of files, as allowed.',
  },
  'auth.not_enabled': { status: 503, when: 'The operator has not enabled Sign in with Apple.' },
  'org.not_found': { status: 404, when: 'There is no organization with this id that the account is a member of.' },
  'org_member.not_found': { status: 404, when: 'The organization has no member with this user id.' },
  'org_group.not_found': { status: 404, when: 'The organization has no group with this id.' },
  'org_tag.not_found': { status: 404, when: 'The organization has no tag with this id.' },
  'org_invitation.not_found': { status: 404, when: 'The organization has no invitation with this id.' },
  'org.role_denied': { status: 403, when: 'The caller’s role in the organization is too low; see `required_role`.' },
  'org.code_invalid': { status: 410, when: 'The invitation is unknown, used up, expired or deleted.' },
  'org.limit_exceeded': {
    status: 409,
    when: 'There are as many organizations, members, groups, tags or open invitations as allowed; see `kind` and `limit`.',
  },
  'org.name_taken': { status: 409, when: 'The organization has a group or tag with this name already.' },
  'org.in_use': {
    status: 409,
    when: 'Keys, pending schedules, activities, heartbeats or escalation policies name this group or tag; `used_by` counts them, `?force=true` deletes it.',
  },
  'org.last_owner': { status: 409, when: 'An organization always has an owner, and this is the last one.' },
  'org.target_invalid': { status: 422, when: '`target` or one of its lists is empty, or a name in it is blank.' },
  'org.target_unknown': {
    status: 422,
    when: 'The organization has no such group, tag or member; `errors` names each.',
  },
  'integration_key.target_denied': {
    status: 403,
    when: 'The target lies outside the groups, tags and members that this key is limited to.',
  },
  'org.target_unavailable': { status: 422, when: '`target` is for organization keys; this token is a person’s.' },
  'idempotency.key_reused': { status: 422, when: 'This Idempotency-Key was sent before, with another body.' },
  'idempotency.in_progress': { status: 409, when: 'The first request with this Idempotency-Key is still running.' },
  'demo.conflict': { status: 409, when: 'A demonstration is running; `Retry-After` says when it ends.' },
  'path.invalid': { status: 400, when: 'The path cannot be decoded.' },
  'user.name_taken': { status: 409, when: 'There is a user with this name already.' },
  'user.operator_required': { status: 403, when: 'Only an operator of this server may do that.' },
  'user.not_found': { status: 404, when: 'There is no such user.' },
  'rate_limit.exceeded': { status: 429, when: 'Too many requests from this address within a minute.' },
  'rate_limit.refusals_exceeded': {
    status: 429,
    code: 'rate_limit.exceeded',
    when: 'Too many refused tokens or codes from this address within a minute.',
  },
  'quota.exceeded': { status: 429, when: 'The quota of the month or day is used up.' },
  'service.unavailable': {
    status: 503,
    when: 'A dependency of the service, such as its database, is unavailable. The request was not carried out and is safe to retry, unless `detail` says that it may have been: then repeat it with the same Idempotency-Key.',
  },
  internal_error: { status: 500, when: 'The service failed; the log has the cause under the request id.' },
} as const satisfies Record<string, { status: number; when: string; code?: string }>

export type ProblemName = keyof typeof PROBLEMS

export type Violation = { location: string; message: string; value?: string | number | boolean | null }

// Members of the body besides those that every problem has.
export type ProblemMembers = { errors?: Violation[]; retry_after_ms?: number; [member: string]: unknown }

// Thrown by rules and operations. `detail` is for the client; `cause`, if any, only for our log.
export class Problem extends Error {
  readonly problem: ProblemName
  readonly members: ProblemMembers

  constructor(problem: ProblemName, detail: string, members: ProblemMembers = {}, cause?: unknown) {
    super(detail, { cause })
    this.problem = problem
    this.members = members
  }

  get detail(): string {
    return this.message
  }

  get status(): number {
    return PROBLEMS[this.problem].status
  }

  get code(): string {
    return problemCode(this.problem)
  }
}

export function problemCode(name: ProblemName): string {
  const row = PROBLEMS[name]
  return 'code' in row ? row.code : name
}

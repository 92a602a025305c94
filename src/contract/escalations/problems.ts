// The problems of escalation policies, a part of the table in ../problems.ts.

export const ESCALATION_PROBLEMS = {
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
} as const

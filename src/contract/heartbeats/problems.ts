// The problems of heartbeats, a part of the table in ../problems.ts.

export const HEARTBEAT_PROBLEMS = {
  'heartbeat.not_found': { status: 404, when: 'The account has no heartbeat with this slug.' },
  'heartbeat.limit_exceeded': {
    status: 409,
    when: 'The account already has as many heartbeats as its plan allows.',
  },
  'heartbeat.invalid': { status: 400, when: 'The heartbeat breaks a rule that no schema states; see `errors`.' },
} as const

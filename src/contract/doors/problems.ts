// The problems of webhooks, a part of the table in ../problems.ts.

export const HOOK_PROBLEMS = {
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
} as const

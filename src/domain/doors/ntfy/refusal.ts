// The errors of ntfy that this server answers with. Clients read all four members, and some show the text.
import { Problem, type ProblemName } from '../../../contract/problems.ts'

export type NtfyError = { code: number; http: number; error: string; link?: string }

const DOCS = 'https://ntfy.sh/docs'
const SCHEDULED = `${DOCS}/publish/#scheduled-delivery`
const LIMITATIONS = `${DOCS}/publish/#limitations`
const AUTHENTICATION = `${DOCS}/publish/#authentication`
const TEMPLATING = `${DOCS}/publish/#message-templating`

const ERRORS = {
  40000: ['invalid request'],
  40001: ['e-mail notifications are not enabled', `${DOCS}/config/#e-mail-notifications`],
  40002: ['cannot disable cache for delayed message'],
  40003: ['delayed e-mail notifications are not supported'],
  40004: ['invalid delay parameter: unable to parse delay', SCHEDULED],
  40005: ['invalid delay parameter: too small, please refer to the docs', SCHEDULED],
  40006: ['invalid delay parameter: too large, please refer to the docs', SCHEDULED],
  40007: ['invalid priority parameter', `${DOCS}/publish/#message-priority`],
  40008: ['invalid since parameter', `${DOCS}/subscribe/api/#fetch-cached-messages`],
  40009: ['invalid request: topic invalid'],
  40010: ['invalid request: topic name is not allowed'],
  40011: ['invalid message: message must be UTF-8 encoded'],
  40013: ['invalid request: attachment URL is invalid', `${DOCS}/publish/#attachments`],
  40014: ['invalid request: attachments not allowed', `${DOCS}/config/#attachments`],
  40015: ['invalid request: attachment expiry before delayed delivery date', SCHEDULED],
  40016: ['invalid request: client not using the websocket protocol', `${DOCS}/subscribe/api/#websockets`],
  40017: ['invalid request: request body must be message JSON', `${DOCS}/publish/#publish-as-json`],
  40018: ['invalid request: actions invalid', `${DOCS}/publish/#action-buttons`],
  40021: ['invalid request: icon URL is invalid', `${DOCS}/publish/#icons`],
  40032: ['invalid request: calling is disabled', `${DOCS}/config/#phone-calls`],
  40042: ['invalid request: message is not valid JSON', TEMPLATING],
  40045: ['invalid request: template execution failed', TEMPLATING],
  40047: ['invalid request: template file not found', TEMPLATING],
  40049: ['invalid request: sequence ID invalid', `${DOCS}/publish/#updating-deleting-notifications`],
  40101: ['unauthorized', AUTHENTICATION],
  40301: ['forbidden', AUTHENTICATION],
  40401: ['page not found'],
  41301: ['attachment too large, or bandwidth limit reached', LIMITATIONS],
  41302: ['entity too large', `${DOCS}/publish/#limitations`],
  41303: ['JSON body too large'],
  42901: ['limit reached: too many requests', LIMITATIONS],
  42902: ['limit reached: too many emails', LIMITATIONS],
  42903: ['limit reached: too many active subscriptions', LIMITATIONS],
  42908: ['limit reached: daily message quota reached', LIMITATIONS],
  42909: ['limit reached: too many auth failures', LIMITATIONS],
  50001: ['internal server error'],
  50701: ['cannot publish to UnifiedPush topic without previously active subscriber', `${DOCS}/publish/#unifiedpush`],
} as const satisfies Record<number, readonly [error: string, link?: string]>

export type NtfyCode = keyof typeof ERRORS

// `reason`: what is wrong in particular, which ntfy adds to some of its errors.
export function ntfyError(code: NtfyCode, reason?: string): NtfyError {
  const [error, link] = ERRORS[code] as readonly [string, string?]
  // The first three digits are the status.
  const http = Math.floor(code / 100)
  return { code, http, error: reason ? `${error}; ${reason}` : error, ...(link && { link }) }
}

// A request that ntfy would refuse, too. The problem is the one of the log line.
export class NtfyRefusal extends Problem {
  readonly ntfy: NtfyError

  constructor(code: NtfyCode, reason?: string) {
    const ntfy = ntfyError(code, reason)
    super(PROBLEM_OF_STATUS[ntfy.http] ?? 'request.body_invalid', ntfy.error)
    this.ntfy = ntfy
  }
}

const PROBLEM_OF_STATUS: Record<number, ProblemName> = {
  401: 'integration_key.permission_denied',
  403: 'integration_key.permission_denied',
  404: 'route.not_found',
  413: 'request.too_large',
}

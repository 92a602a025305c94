// The reason of a push result as a label of metrics. A label must have few values, but push services may answer anything,
// so only known reasons are kept.
import { STATUS_CODES } from 'node:http'
import type { PushResult } from '../domain/push.ts'
import { POLICIES } from './channels/apns/reasons.ts'
import { FAILURE_REASONS } from './outbound-http.ts'

// Reasons that our own APNs client gives when APNs has not answered.
const NOT_ANSWERED = ['timeout', 'closing', 'refused', 'connection_lost', 'unreachable']

const KNOWN = new Set([...Object.keys(POLICIES).map((key) => key.replace(/^\d+ /, '')), ...NOT_ANSWERED])
const FAILURES = new Map<string, string>(
  FAILURE_REASONS.flatMap((reason) =>
    ['push service', 'bark-server'].map((who) => [`${who}: ${reason}`, reason.replaceAll(' ', '_')] as const),
  ),
)
const STATUS = /^(?:status_|push service answered |bark-server answered )(\d{3})$/

export function reasonLabel(pushed: PushResult): string {
  if (pushed.result === 'accepted') return ''
  const { reason } = pushed
  if (KNOWN.has(reason)) return reason
  const status = STATUS.exec(reason)?.[1]
  if (status && status in STATUS_CODES) return `status_${status}`
  return FAILURES.get(reason) ?? 'other'
}

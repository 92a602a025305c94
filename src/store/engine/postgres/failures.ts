// Classifies PostgreSQL's errors: trouble of the server or the network, a conflict to retry, or a mistake of ours.
import { Problem } from '../../../contract/problems.ts'
import { type Trouble, unavailable } from '../trouble.ts'

// Classes of SQLSTATE that concern the server and not the statement: connection, resources, operator, system; and the end of a
// transaction in which this process was idle for too long.
const SERVER_TROUBLE = /^(08|53|57|58|25P03)/
const READ_ONLY = '25006'
const DISK_FULL = '53100'
const NETWORK_TROUBLE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/
// Messages of pg, which have no code, for a connection that is lost, silent or not available.
const LOST = /connection (terminated|timeout|error)|timeout exceeded|read timeout|not queryable/i

// Returns undefined if the statement is at fault and not the server.
export function troubleOf(error: unknown): Trouble | undefined {
  const code = codeOf(error)
  if (code === READ_ONLY) return 'read-only'
  if (code === DISK_FULL) return 'full'
  const lost = error instanceof Error && LOST.test(error.message)
  return lost || SERVER_TROUBLE.test(code) || NETWORK_TROUBLE.test(code) ? 'unreachable' : undefined
}

export function mapFailure(error: unknown): unknown {
  const trouble = troubleOf(error)
  return trouble ? unavailable(trouble, error) : error
}

export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.problem === 'service.unavailable'

// serialization_failure, deadlock_detected
export const isConflict = (error: unknown) => ['40001', '40P01'].includes(codeOf(error))

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

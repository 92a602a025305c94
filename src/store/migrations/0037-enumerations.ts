// The database refuses values outside of an enumeration, so that a mistake in a program cannot store one for ever. PostgreSQL has
// check constraints. SQLite adds one only to a new table, so triggers do it there: 1 µs of an insert.
import { fragment, type Sql, sql } from '../engine/sql.ts'

// The most common values first.
const ENUMERATIONS: [table: string, column: string, values: string[]][] = [
  ['notifications', 'level', ['active', 'time-sensitive', 'passive', 'critical']],
  ['users', 'plan', ['free', 'paid']],
  ['users', 'kind', ['person', 'organization', 'closed-organization']],
  ['memberships', 'role', ['member', 'admin', 'owner']],
  ['org_invitations', 'role', ['member', 'admin']],
  ['shares', 'role', ['viewer', 'editor']],
  ['share_codes', 'role', ['viewer', 'editor']],
  ['answers', 'status', ['pending', 'answered']],
  ['receipts', 'status', ['active', 'acknowledged', 'expired', 'canceled']],
  ['schedules', 'status', ['scheduled', 'sent', 'canceled', 'failed']],
  ['heartbeats', 'status', ['new', 'up', 'started', 'late', 'down', 'paused']],
  ['activities', 'state', ['ongoing', 'ended', 'preempted']],
  ['emails', 'status', ['queued', 'sent', 'bounced', 'failed', 'suppressed']],
]

// Not `in (…)`, for which SQLite fills a table with the values at each insert.
const isOneOf = (column: string, values: string[]) => values.map((value) => `${column} = '${value}'`).join(' or ')

const onSqlite = (sqlite: string) => sql`${fragment({ sqlite, postgres: 'select 1' })}`
const onPostgres = (postgres: string) => sql`${fragment({ sqlite: 'select 1', postgres })}`

function constrain(table: string, column: string, values: string[]): Sql[] {
  const name = `${table}_${column}_known`
  const refuse = `when not (${isOneOf(`new.${column}`, values)})
    begin select raise(abort, 'unknown ${column} of ${table}'); end`
  return [
    onPostgres(`alter table ${table} add constraint ${name} check (${isOneOf(column, values)})`),
    onSqlite(`create trigger ${name}_on_insert before insert on ${table} ${refuse}`),
    onSqlite(`create trigger ${name}_on_update before update of ${column} on ${table} ${refuse}`),
  ]
}

export const statements = [
  // Webhooks with words such as "constructor" as a severity stored the text of a function on PostgreSQL.
  sql`update notifications set level = 'active'
    where level not in ('passive', 'active', 'time-sensitive', 'critical')`,
  ...ENUMERATIONS.flatMap((enumeration) => constrain(...enumeration)),
]

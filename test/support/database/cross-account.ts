// The statements of the service that do not name the account whose rows they touch, by the reason. docs/scale.md has them in a table:
// they are what has to be thought of when accounts are spread over several databases.
import { listStatementTemplates } from './statement-templates.ts'

type Reason = { title: string; is: (statement: Statement) => boolean }
type Statement = { text: string; tables: string[] }

const TABLE = /\b(?:from|join|update|into)\s+([a-z_]+)/g
// A condition on the account, or a row that is written with it.
const NAMES_ACCOUNT = [
  /\b(?:user_id|owner_id|org_id|member_id|recipient_id|u\.id|account_id)\s*(?:=|in)\s*\(?\s*(?:\?|[a-z]+\.)/,
  /insert into \w+ \([^)]*\b(?:user_id|org_id)\b/,
  // The columns of a new notification, which have its account.
  /insert into notifications \(id, \?\)/,
  // The account itself.
  /\b(?:from|update) users\b.*\bid = \?|insert into users \(/,
]
const OF_SERVER =
  /^(server_secrets|channel_nodes|retention_clock|service_alive|migrations|rate_counters|daily_limits|used_nonces|event_streams|idempotency_keys|former_organizations|pg_\w+|generate_series)$/
const BY_SECRET =
  /\b(hash|key_hash|code_hash|name_hash|secret_hash|confirmation_hash|token|ping_key|credential_id|subject|code|address_key) (?:= \?|in \()/
const BY_AGE =
  /\b(created_at|updated_at|at|expires_at|due_at|finished_at|received_at|ended_at|until|day|last_used_at|version|oldest_read_at) ?(<|<=) ?\?|starting_job = \?/
const BY_ROW =
  /\b(id|[a-z]+_id|key) (=|in) ?\(?(\?|select)|where \?|values \(|select id, \?|cast\(value as bigint\)|= notifications\./
const OF_SEVERAL = /^(users|shares|org_\w+|group_\w+|push_tokens|devices|activity_shows|feeds|push_messages)$/

// The first that holds counts.
const REASONS: Reason[] = [
  { title: 'state of the deployment', is: ({ tables }) => tables.some((table) => OF_SERVER.test(table)) },
  { title: 'work for later', is: ({ text, tables }) => tables.includes('jobs') || text.includes('missed_at < ?') },
  { title: 'finds the account by a secret', is: ({ text }) => BY_SECRET.test(text) },
  { title: 'deletes what is old', is: ({ text }) => BY_AGE.test(text) },
  {
    title: 'after a standstill of the server',
    is: ({ text }) => text.startsWith('update heartbeats set due_at = due_at +'),
  },
  {
    title: 'follows from a row that was found by its account',
    is: ({ text, tables }) => !isOfSeveral(tables) && BY_ROW.test(text),
  },
  { title: 'reads or writes rows of several accounts', is: ({ tables }) => isOfSeveral(tables) },
]

const isOfSeveral = (tables: string[]) => tables.some((table) => OF_SEVERAL.test(table))

// Where they are and what they say, by the title of their reason. `unknown` has those without one.
export function findCrossAccount(): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { place, chunks } of listStatementTemplates()) {
    const text = chunks.join('?').replace(/\s+/g, ' ')
    const tables = [...text.matchAll(TABLE)].flatMap(([, table]) => (table && table !== 'set' ? [table] : []))
    if (tables.length === 0 || NAMES_ACCOUNT.some((form) => form.test(text))) continue
    const title = REASONS.find(({ is }) => is({ text, tables }))?.title ?? 'unknown'
    found[title] = [...(found[title] ?? []), `${place} ${text}`]
  }
  return found
}

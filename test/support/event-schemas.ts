// Holds events against the schemas of contract/events/event.ts: those that a test's service stored, and those that its stream
// sent.
import {
  EVENT_DATA,
  EVENT_MESSAGES,
  EventReset,
  type EventType,
  HIDDEN_EVENT_DATA,
} from '../../src/contract/events/event.ts'
import { type Check, compileCheck } from '../../src/contract/validation.ts'
import type { Database } from '../../src/store/engine/database.ts'
import { sql } from '../../src/store/engine/sql.ts'

export class UndeclaredEvent extends Error {}

const checksOf = (schemas: Record<string, object>): Map<string, Check> =>
  new Map(Object.entries(schemas).map(([type, schema]) => [type, compileCheck(schema, 'body')]))

const STORED = checksOf({ ...(EVENT_DATA satisfies Record<EventType, object>), ...HIDDEN_EVENT_DATA })
const SENT = checksOf({ ...EVENT_MESSAGES, reset: EventReset })

export function assertSentEvent(type: string, message: unknown): void {
  assertDeclared(SENT, type, message)
}

export async function assertStoredEvents({ read }: Database): Promise<void> {
  const rows = await read.all<{ type: string; data: string }>(sql`select distinct type, data from events`)
  for (const { type, data } of rows) assertDeclared(STORED, type, JSON.parse(data))
}

function assertDeclared(checks: Map<string, Check>, type: string, value: unknown): void {
  const violations = checks.get(type)?.(value)
  if (violations?.length === 0) return
  const reason = violations ? JSON.stringify(violations) : 'contract/events/event.ts has no such type'
  throw new UndeclaredEvent(`event ${type}: ${reason}`)
}

// Brings the schema up to date at every start. All missing migrations are applied in one transaction under a lock, so a
// kill in the middle leaves the old schema, and a second node that starts at the same time waits and finds it done.
import { StartError } from '../../domain/errors.ts'
import * as foundation from '../migrations/0001-foundation.ts'
import * as notifications from '../migrations/0002-notifications.ts'
import * as schedules from '../migrations/0003-schedules.ts'
import * as receipts from '../migrations/0004-receipts.ts'
import * as activities from '../migrations/0005-activities.ts'
import * as emails from '../migrations/0006-emails.ts'
import * as sentAt from '../migrations/0007-sent-at.ts'
import * as usage from '../migrations/0008-usage.ts'
import * as devicePushes from '../migrations/0009-device-pushes.ts'
import * as inboxIndexes from '../migrations/0010-inbox-indexes.ts'
import * as eventStreams from '../migrations/0011-event-streams.ts'
import * as smallInboxRows from '../migrations/0012-small-inbox-rows.ts'
import * as claims from '../migrations/0013-claims.ts'
import * as activityIds from '../migrations/0014-activity-ids.ts'
import * as shares from '../migrations/0015-shares.ts'
import * as organizations from '../migrations/0016-organizations.ts'
import * as orgSends from '../migrations/0017-org-sends.ts'
import * as orgActivities from '../migrations/0018-org-activities.ts'
import * as formerOrganizations from '../migrations/0019-former-organizations.ts'
import * as operators from '../migrations/0020-operators.ts'
import * as doors from '../migrations/0021-doors.ts'
import * as files from '../migrations/0022-files.ts'
import * as hooks from '../migrations/0023-hooks.ts'
import * as appTopics from '../migrations/0024-app-topics.ts'
import * as consoleViews from '../migrations/0025-console.ts'
import * as gotifyApps from '../migrations/0026-gotify-apps.ts'
import * as snoozes from '../migrations/0027-snoozes.ts'
import * as wall from '../migrations/0028-wall.ts'
import * as passkeysAndDeliveries from '../migrations/0029-passkeys-and-deliveries.ts'
import * as doorColumns from '../migrations/0030-door-columns.ts'
import * as heartbeats from '../migrations/0032-heartbeats.ts'
import * as holds from '../migrations/0033-holds.ts'
import * as escalations from '../migrations/0034-escalations.ts'
import * as jobFailures from '../migrations/0035-job-failures.ts'
import * as removedPeople from '../migrations/0036-removed-people.ts'
import * as enumerations from '../migrations/0037-enumerations.ts'
import * as collapseIds from '../migrations/0038-collapse-ids.ts'
import * as receiptGroups from '../migrations/0040-receipt-groups.ts'
import * as agentWaits from '../migrations/0041-agent-waits.ts'
import type { Database, Reader, Writer } from './database.ts'
import { fragment, type Sql, sql } from './sql.ts'
import { lockTables } from './table-locks.ts'

export type Migration = { name: string; statements: Sql[] }

export const MIGRATIONS: Migration[] = [
  { name: '0001-foundation', statements: foundation.statements },
  { name: '0002-notifications', statements: notifications.statements },
  { name: '0003-schedules', statements: schedules.statements },
  { name: '0004-receipts', statements: receipts.statements },
  { name: '0005-activities', statements: activities.statements },
  { name: '0006-emails', statements: emails.statements },
  { name: '0007-sent-at', statements: sentAt.statements },
  { name: '0008-usage', statements: usage.statements },
  { name: '0009-device-pushes', statements: devicePushes.statements },
  { name: '0010-inbox-indexes', statements: inboxIndexes.statements },
  { name: '0011-event-streams', statements: eventStreams.statements },
  { name: '0012-small-inbox-rows', statements: smallInboxRows.statements },
  { name: '0013-claims', statements: claims.statements },
  { name: '0014-activity-ids', statements: activityIds.statements },
  { name: '0015-shares', statements: shares.statements },
  { name: '0016-organizations', statements: organizations.statements },
  { name: '0017-org-sends', statements: orgSends.statements },
  { name: '0018-org-activities', statements: orgActivities.statements },
  { name: '0019-former-organizations', statements: formerOrganizations.statements },
  { name: '0020-operators', statements: operators.statements },
  { name: '0021-doors', statements: doors.statements },
  { name: '0022-files', statements: files.statements },
  { name: '0023-hooks', statements: hooks.statements },
  { name: '0024-app-topics', statements: appTopics.statements },
  { name: '0025-console', statements: consoleViews.statements },
  { name: '0026-gotify-apps', statements: gotifyApps.statements },
  { name: '0027-snoozes', statements: snoozes.statements },
  { name: '0028-wall', statements: wall.statements },
  { name: '0029-passkeys-and-deliveries', statements: passkeysAndDeliveries.statements },
  { name: '0030-door-columns', statements: doorColumns.statements },
  { name: '0032-heartbeats', statements: heartbeats.statements },
  { name: '0033-holds', statements: holds.statements },
  { name: '0034-escalations', statements: escalations.statements },
  { name: '0035-job-failures', statements: jobFailures.statements },
  { name: '0036-removed-people', statements: removedPeople.statements },
  { name: '0037-enumerations', statements: enumerations.statements },
  { name: '0038-collapse-ids', statements: collapseIds.statements },
  { name: '0040-receipt-groups', statements: receiptGroups.statements },
  { name: '0041-agent-waits', statements: agentWaits.statements },
]

const MIGRATION_LOCK = fragment({ sqlite: '1', postgres: 'pg_advisory_xact_lock(20261115)' })

export async function migrate(db: Database, migrations: Migration[] = MIGRATIONS): Promise<string[]> {
  return db.transact((tx) => applyMigrations(tx, migrations), { noTimeout: true })
}

// Until the transaction ends, no other node changes the schema.
export async function lockSchema(tx: Writer): Promise<void> {
  await tx.all(sql`select ${MIGRATION_LOCK}`)
}

// Returns the names of those that were missing.
export async function applyMigrations(tx: Writer, migrations: Migration[]): Promise<string[]> {
  await lockSchema(tx)
  await tx.execute(sql`create table if not exists migrations (number bigint primary key, name text not null)`)
  const applied = await countMigrations(tx)
  requireKnown(applied, migrations)
  const missing = migrations.slice(applied)
  // A new database has no other users.
  if (applied > 0 && missing.length > 0) await lockTables(tx)
  for (const [index, migration] of missing.entries()) {
    for (const statement of migration.statements) await tx.execute(statement)
    await tx.execute(sql`insert into migrations (number, name) values (${applied + index + 1}, ${migration.name})`)
  }
  return missing.map((migration) => migration.name)
}

export function requireKnown(applied: number, migrations: Migration[] = MIGRATIONS): void {
  if (applied <= migrations.length) return
  throw new StartError(
    `the database was made by a newer Heliograph (schema ${applied}, this one knows ${migrations.length}); start that version`,
  )
}

export async function countMigrations(tx: Reader): Promise<number> {
  const row = await tx.first<{ count: number }>(sql`select count(*) as count from migrations`)
  return row?.count ?? 0
}

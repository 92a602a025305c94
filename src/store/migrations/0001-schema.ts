// The schema of 0.2.0, in which tables that others refer to come first.
//
// One dialect for both databases: instants and counts are bigint, booleans 0 or 1, documents JSON text, ids text. What each
// table and column holds is in docs/data-model.md. Enumerations are compared value by value, the most common first: for
// `in (…)` SQLite fills a table with the values at each insert.
import { accounts } from './0001-schema/accounts.ts'
import { devices } from './0001-schema/devices.ts'
import { notifications } from './0001-schema/notifications.ts'
import { onCall } from './0001-schema/on-call.ts'
import { organizations } from './0001-schema/organizations.ts'
import { senders } from './0001-schema/senders.ts'
import { server } from './0001-schema/server.ts'
import { widgetsAndActivities } from './0001-schema/widgets-and-activities.ts'

export const statements = [
  ...accounts,
  ...devices,
  ...senders,
  ...notifications,
  ...onCall,
  ...widgetsAndActivities,
  ...organizations,
  ...server,
]

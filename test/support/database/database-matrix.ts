// Test files that `npm test` runs on SQLite only; `npm run test:nightly` runs them on PostgreSQL too. A file may be listed
// if its subject is decided before or after the database: request parsing, permissions and rules on the way in, views,
// headers and requests to third parties on the way out. test/database-matrix.test.ts holds the rest of the rule: a listed
// file has no SQL of its own, does not ask which database it runs on, and starts no second node. Other files must run its
// statements on PostgreSQL. When in doubt, do not list a file.
export const SQLITE_SUFFICES = [
  // HTTP: files, headers, framing and bodies.
  'accounts/console-session',
  'requests/cors',
  'requests/framing',
  'requests/parameters',
  'requests/request-bodies',
  'requests/request-bounds',
  'requests/requests',
  'mcp/requests',
  'service/console-files',
  'service/icons',
  // Doors: how requests of other services' senders are read and answered. What the doors store, their lists, repeats and
  // receipts run on PostgreSQL in the other files of each door.
  'apps/ntfy/android',
  'doors/hooks/hostile',
  'doors/hooks/templates',
  'doors/ntfy/access',
  'doors/ntfy/publish',
  'doors/pushover/messages',
  // Validation, permissions and views of resources that races, models, journeys and both-databases write on PostgreSQL.
  'accounts/default-key',
  'accounts/permissions',
  'accounts/integration-keys',
  'devices/device-names',
  'mcp/tools',
  'notifications/notifications',
  'organizations/acting',
  'organizations/key-permissions',
  'schedules/schedule-receipts',
  'schedules/schedules',
  'service/examples',
  'widgets/widgets',
  // Requests to push services, mail servers and receivers of callbacks, and how their answers are understood.
  'apps/ntfy/upstream',
  'doors/ntfy/emails',
  'emails/email-injection',
  'notifications/delivery-faults',
  'notifications/delivery-refusals',
  'receipts/callbacks',
  'service/traces',
  'shares/share-pushes',
  'shares/share-tickets',
].map((name) => `test/api/${name}.test.ts`)

// Test files that `npm test` runs on SQLite only; `npm run test:nightly` runs them on PostgreSQL too. A file may be listed
// if its subject is decided before or after the database: request parsing, permissions and rules on the way in, views,
// headers and what goes out to a third party on the way out. test/database-matrix.test.ts holds the rest of the rule: a
// listed file has no SQL of its own, does not ask which database it runs on, and starts no second node. Other files must
// run its statements on PostgreSQL. When in doubt, do not list a file.
const api = (...names: string[]) => names.map((name) => `test/api/${name}.test.ts`)

export const SQLITE_SUFFICES = [
  // HTTP: files, headers, framing and bodies.
  ...api(
    'service/console-files',
    'accounts/console-session',
    'requests/cors',
    'requests/framing',
    'service/icons',
    'requests/request-bodies',
    'requests/request-bounds',
    'requests/requests',
  ),
  // Validation, permissions and views of resources that races, models, journeys and both-databases write on PostgreSQL.
  ...api(
    'accounts/default-key',
    'devices/device-names',
    'accounts/integration-keys',
    'notifications/notifications',
    'schedules/schedule-receipts',
    'schedules/schedules',
    'widgets/widgets',
  ),
  // What push services, mail servers and receivers of callbacks are sent, and how their answers are understood.
  ...api('receipts/callbacks', 'notifications/delivery-refusals', 'emails/email-injection'),
]

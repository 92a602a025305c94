// What must hold, by number. Tests carry these numbers in their names; docs/reliability.md shows what they measured.
// `minor`: a release may ship without it. `only`: the one database that it concerns. `elsewhere`: the suite that tests it,
// which `npm run test:faults` does not run. `partly`: a suite that tests more of it. `missing`: what no test shows.

export const SECTIONS = [
  {
    title: 'Durability and time',
    requirements: {
      R01: {
        promise:
          'A write that was answered with 2xx is there after the process was killed, and none is half there. A send to an organization reaches every member once, although statements fail.',
      },
      R02: {
        promise: 'Such a write survives a power loss: every commit is synced before its answer.',
        missing: 'PostgreSQL syncs its own log; the tests only check that `synchronous_commit` is not off.',
      },
      R03: { promise: 'A scheduled notification is sent once, also if the process is killed when it is due.' },
      R04: { promise: 'Every occurrence of a series is sent once; `count` and `until` are exact.' },
      R05: { promise: 'A schedule up to a year ahead is not sent early.' },
      R06: { promise: 'A clock that jumps causes neither a second send nor a missed one.' },
      R07: { promise: 'Recurrences follow one written rule when clocks change in spring and autumn.' },
      R08: { promise: 'After downtime, one-time schedules are sent late, and a series at most once.' },
      R09: { promise: 'Monthly quotas start anew at 00:00 UTC of the first, daily ones at 00:00 UTC.' },
      R10: { minor: true, promise: 'Records are deleted when the retention time is over, in batches.' },
      R11: { promise: 'A full or failing disk causes errors and no damage; writes work again without a restart.' },
      R12: { minor: true, promise: 'The write-ahead log stays bounded, and a backup can be made under load.' },
      R13: { minor: true, promise: 'A migration that was killed is completed at the next start.' },
      R14: { minor: true, only: 'sqlite', promise: 'A second process on one SQLite file is refused.' },
    },
  },
  {
    title: 'Several nodes on PostgreSQL',
    requirements: {
      R15: { promise: 'A job is claimed by one node, and all nodes get their share.' },
      R16: { promise: 'The work of a killed node is taken over when its leases expire, after 15 seconds.' },
      R17: { promise: 'A node that was paused does not act on a lease that it has lost.' },
      R18: {
        only: 'postgres',
        promise: 'Faults of the database are answered with 503, never with a false 2xx, and heal without a restart.',
      },
      R19: { promise: 'Waiting requests are woken on every node, also while NOTIFY does not arrive.' },
      R20: { promise: 'Every cap and quota holds exactly, over all nodes and for requests at the same moment.' },
      R21: { promise: 'Simultaneous changes of one resource lose no field.' },
      R22: { promise: 'SQLite and PostgreSQL give the same answers.' },
    },
  },
  {
    title: 'Delivery',
    requirements: {
      R23: { promise: 'Every refusal of APNs has its documented effect, and the entry stays in the inbox.' },
      R24: { promise: 'Faults of the connection to APNs lose no push.' },
      R25: { promise: 'Provider tokens are signed once in 30 minutes, equal on all nodes.' },
      R26: { promise: 'Every valid notification fits into a push.' },
      R27: { promise: 'Push tokens are removed only when the push service says that they are dead.' },
      R28: { promise: 'Changes of a widget are coalesced over all nodes; the last one is always pushed.' },
      R29: { promise: 'Alerts are repeated on time until they end, and never after.' },
      R30: { promise: 'A receipt and a question have one end; the first answer wins.' },
      R31: { promise: 'Callbacks are tried at most 7 times; a receiver that hangs delays no other.' },
      R32: { promise: 'Every callback has a valid signature of the Standard Webhooks specification.' },
      R33: { promise: 'No request of a user makes the server connect to an internal address.' },
      R34: { promise: 'Web Push messages keep to the protocol; only 404 and 410 remove a subscription.' },
      R35: { promise: 'No field of a mail can inject headers or read files.' },
      R36: { promise: 'Live Activities are started, updated and ended in order, also if the token comes late.' },
    },
  },
  {
    title: 'Hostile input and load',
    requirements: {
      R37: {
        promise: '100,000 generated bad requests: none is answered with 5xx, none ends the process, memory is flat.',
      },
      R38: { promise: 'A merge patch cannot pollute prototypes.' },
      R39: { promise: 'No body costs more than 50 ms of the event loop at a time, or more than 5 MB.' },
      R40: { minor: true, promise: 'No pattern takes long on a long text.' },
      R41: {
        promise: 'Clients that send slowly, do not read or stay idle are disconnected and do not slow others down.',
      },
      R42: {
        promise: 'Ambiguous HTTP framing is refused.',
        partly: 'through nginx and Caddy: `npm run test:deploy`',
      },
      R43: { promise: 'Rate limits count the true client, over all nodes.' },
      R44: { promise: 'Waiting requests end on time, free their place when the client leaves, and end at a stop.' },
    },
  },
  {
    title: 'Identity, accounts, secrets',
    requirements: {
      R45: { promise: 'Tokens have at least 128 random bits and a checksum, and are stored as hashes.' },
      R46: { promise: 'A revoked token works on no node from the moment of the answer.' },
      R47: { promise: 'Accounts and keys reach what they may and nothing else: a table by hand for every route.' },
      R48: { promise: 'Secrets appear neither in logs and answers nor, readable, in the database.' },
      R49: { promise: 'Sign in with Apple accepts only tokens of Apple for this app.' },
      R50: {
        promise: 'The console executes no content of users and accepts no requests of other sites.',
        partly: 'in Chromium: `npx vitest run test/browser/security.test.ts`',
      },
      R51: { minor: true, promise: 'Errors disclose nothing of the inside; every event is one line of the log.' },
    },
  },
  {
    title: 'Operation',
    requirements: {
      R52: {
        promise: 'A stop fails no request and loses no job; nodes can be replaced one at a time.',
        partly: 'behind a proxy: `npm run test:deploy`',
      },
      R53: {
        minor: true,
        promise: 'Memory, sockets, timers and the log are flat over hours.',
        elsewhere: '`npm run soak`',
      },
      R54: { minor: true, promise: 'The package has a bill of materials.' },
      R55: { minor: true, promise: 'A request repeated with its Idempotency-Key is carried out once.' },
    },
  },
]

export const REQUIREMENTS = Object.assign({}, ...SECTIONS.map(({ requirements }) => requirements))

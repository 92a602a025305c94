// docs/performance.md from the results of one run.

const DATABASES = ['SQLite', 'PostgreSQL']
const DAYS_KEPT = 90
const PEAK = 10
const BUSY = 0.5
const READS_PER_MESSAGE = 2
// People, and messages a day for each of them.
const INSTALLATIONS = [
  [5, 50],
  [50, 200],
  [1000, 50],
  [10_000, 50],
  [100_000, 50],
]

// The same results make the same page: test/bench/performance-page.test.ts holds the page against docs/performance.json.
export function renderPage(results) {
  return [
    '<!-- Written by "npm run bench -- --document" (bench/document.mjs); its text is in bench/document/page.mjs. -->',
    introduction(results.run),
    rateSection(results),
    cpuSection(results),
    resourceSection(results),
    growthSection(results),
    sizingSection(results),
    peerSection(results),
    REPEAT,
  ].join('\n')
}

const introduction = (run) => `# Performance

What a request costs, how much memory and disk an installation needs, and how to measure that on your machine. All figures of this
page are of one run: ${describe(run)}.${run.load > 1 ? ' **The machine was busy, so these figures are rough.**' : ''}

The client of the benchmark, the server and PostgreSQL share the cores of that machine. So a rate says little by itself: it is given
as a ratio to that of a bare Fastify route with the same schemas and the same body, without tokens, rules or a database, in the same
run. Contestants take turns, ${run.rounds} times for ${run.seconds} s after a warm-up, over ${run.connections} connections, and the
median of the rounds counts. A change is answered when it is on disk: SQLite runs with \`synchronous=FULL\`, PostgreSQL with
\`synchronous_commit=on\`.
`

const describe = ({ day, commit, node, cores, processor, memoryGb }) =>
  `${day}, commit ${commit}, Node.js ${node}, ${cores} cores of ${processor}, ${memoryGb} GB of memory`

const rateSection = ({ run, rates }) => `## Rates

![Rate of each request as a ratio to a bare Fastify route](images/performance-rates.svg)

${DATABASES.map((name) => rateTable(name, rates)).join('\n\n')}

With ${run.connections} connections that always wait for an answer, p99 is mostly the time in the queue.
`

const rateTable = (name, rates) =>
  table(
    [name, 'Ratio', 'Slowest and fastest round', 'Requests a second', 'p99'],
    rates.map(({ title, results }) => {
      const { ratio, least, most, perSecond, p99Ms } = resultOf(results, name)
      const spread = `${least.toFixed(2)} to ${most.toFixed(2)}`
      return [title, ratio.toFixed(2), spread, count(perSecond), `${p99Ms} ms`]
    }),
  )

const cpuSection = ({ rates }) => `## CPU time of a request

![CPU time of each request in the node and in the database server](images/performance-cpu.svg)

${table(
  ['Microseconds', 'Bare route', 'SQLite', 'PostgreSQL: node', 'PostgreSQL: server'],
  rates.map(({ title, results }) => {
    const [bare, sqlite, postgres] = ['bare', ...DATABASES].map((name) => resultOf(results, name))
    return [title, ...[bare.cpuMicros, sqlite.cpuMicros, postgres.cpuMicros, postgres.databaseMicros].map(count)]
  }),
)}

A node uses one core, and a little more with pushes, so a core serves about a million divided by these microseconds requests a second.
On SQLite, the figure contains the database.
`

const resourceSection = ({ resources }) => `## Memory and disk

${table(
  ['', ''],
  [
    ['Resident memory of a server that does nothing', `${resources.idleMb} MB`],
    [
      'Memory of an open connection (an app that listens by `/json`, `/sse` or WebSocket)',
      `${resources.connectionKb} KB`,
    ],
    ['Memory of an account that does nothing', memoryOfAccount(resources)],
    ['Disk of an account that does nothing, with its key and token', `${resources.accountDiskKb.toFixed(1)} KB`],
    ...DATABASES.map((name) => [
      `Disk of a notification of ordinary size, ${name}, with its event and indexes`,
      `${count(resources.messageBytes[name])} bytes`,
    ]),
  ],
)}
`

function memoryOfAccount({ accountKb, accounts }) {
  const amount = accountKb < 0.1 ? 'none' : `${accountKb.toFixed(1)} KB`
  return `${amount} (a server with ${count(accounts)} of them beside one with a single account)`
}

const growthSection = ({ growth, waits }) => `## Growth

How long a request takes on SQLite when the inbox holds from a thousand to a million notifications; requests take turns, one at a time:

![Milliseconds of a request by the number of stored notifications](images/performance-growth.svg)

${table(
  ['Milliseconds', ...growth.counts.map(count)],
  growth.times.map(({ name, ms }) => [name, ...ms.map((one) => one.toFixed(2))]),
)}

While one account works on its inbox of a million notifications, another one asks for its unread count without pause. The longest that
it waited for an answer:

${table(
  ['Work', 'Longest wait of the other account'],
  waits.map(({ work, ms }) => [WORK_NAMES[work] ?? work, `${ms.toFixed(0)} ms`]),
)}
`

const WORK_NAMES = {
  nothing: 'none, for comparison',
  list: 'list the newest',
  'list unread': 'list the unread',
  'source, no match': 'filter by a source without a match',
  'thread_id, no match': 'filter by a thread without a match',
  'level, no match': 'filter by a level without a match',
  'since and until, old': 'list some hours long ago',
  'q, match': 'search, with matches',
  'q, no match': 'search the whole inbox without a match',
  'delete one': 'delete one',
  'read all': 'mark all as read',
  'user delete': 'delete the account by the command line',
}

const sizingSection = (results) => `## Sizing

Computed from the figures above: every message is pushed to one phone and followed by ${READS_PER_MESSAGE} reads, the busiest second has
${PEAK} times the mean of the day, and the cores are then ${BUSY * 100} % busy. Messages are read, and kept for ${DAYS_KEPT} days, as
\`HELIOGRAPH_READ_RETENTION_DAYS\` says by default. One app of each person is connected. The cores are those of this run.

${table(
  [
    'People',
    'Messages a day each',
    'Messages in the busiest second',
    'Cores, SQLite',
    'Cores, PostgreSQL',
    'Memory',
    'Disk, SQLite',
    'Disk, PostgreSQL',
  ],
  INSTALLATIONS.map(([people, messages]) => sizingCells(results, people, messages)),
)}

A process on SQLite uses one core, so where more than that is needed take PostgreSQL with several nodes;
[Several nodes](many-nodes.md) says how. The first figure of PostgreSQL is for all nodes together, the second for the database server.
Add disk for the write-ahead log (of PostgreSQL 1 GB by default), for backups, and for attached files.
`

function sizingCells({ rates, resources }, people, messages) {
  const perDay = people * messages
  const peak = (perDay / 86_400) * PEAK
  const micros = (name, member) =>
    resultOf(ratesOf(rates, 'push').results, name)[member] +
    READS_PER_MESSAGE * resultOf(ratesOf(rates, 'Read').results, name)[member]
  const cores = (name, member) => (peak * micros(name, member)) / 1e6 / BUSY
  const onSqlite = cores('SQLite', 'cpuMicros')
  const disk = (name) => gigabytes(perDay * DAYS_KEPT * resources.messageBytes[name])
  return [
    ...[count(people), count(messages), peak < 10 ? inWords(peak) : count(Math.round(peak))],
    onSqlite > 1 ? 'more than one' : inWords(onSqlite),
    `${inWords(cores('PostgreSQL', 'cpuMicros'))} and ${inWords(cores('PostgreSQL', 'databaseMicros'))}`,
    gigabytes(resources.idleMb * 2 ** 20 + people * resources.connectionKb * 1024),
    ...DATABASES.map(disk),
  ]
}

const ratesOf = (rates, word) => rates.find(({ title }) => title.includes(word))
const inWords = (number) => (number < 0.1 ? 'under 0.1' : number.toFixed(1))
const gigabytes = (bytes) =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`

const EARLIER = [
  ['Bark', '0.74', 'stores nothing'],
  ['ntfy 2.13, batches', '0.37', 'lost answered messages when it was killed'],
  ['Gotify 3.0, default settings', '0.32', ''],
  ['Gotify 3.0, every message synced', '0.21', ''],
  ['ntfy 2.13, every message synced', '0.16', ''],
]

const peerSection = ({ run, peers }) => `## Beside other services

${peers ? measuredPeers(run, peers) : 'This run had no programs of other services.'}

The following is from **another machine and an earlier version of Heliograph**, with the versions of the other services that it names. It
is here for orientation; measure yourself before you decide by it.

${table(['Sends', 'Ratio to a bare Fastify route', ''], EARLIER)}
`

function measuredPeers(run, peers) {
  const where =
    peers.run.commit === run.commit && peers.run.day === run.day ? '' : `Measured on ${describe(peers.run)}.\n\n`
  return where + peers.tables.map(({ title, rows }) => `${title}:\n\n${peerTable(rows)}`).join('\n\n')
}

function peerTable(rows) {
  const losses = rows.filter(({ lost }) => lost !== undefined)
  const lossOf = (service) => losses.find((row) => row.service === service)
  return table(
    ['Service', 'Ratio', 'Microseconds of CPU', 'Answered messages lost by kill -9'],
    rows
      .filter(({ ratio }) => ratio !== undefined)
      .map(({ service, ratio, cpuMicros }) => [service, ratio.toFixed(2), cpuMicros, lossInWords(lossOf(service))]),
  )
}

const lossInWords = (loss) => (loss ? `${count(loss.lost)} of ${count(loss.answered)}` : '–')

const REPEAT = `## Repeat it

You need a checkout, Node.js with npm, and an idle machine.

<!-- not run: takes ten minutes, and minutes more beside other services -->
\`\`\`sh
npm run bench -- --document                                       # measures, and writes this page with its drawings
npm run bench -- --document --peers ntfy=/usr/bin/ntfy gotify=./gotify-linux-amd64 bark=./bark-server
npm run bench -- --peers ntfy=/usr/bin/ntfy                       # prints a table, and writes nothing
npm run bench -- --compare v0.2.0                                 # this checkout against another commit
npm run bench -- --redraw                                         # writes the page from docs/performance.json, without measuring
\`\`\`

Other services are programs that you have: the benchmark neither downloads nor builds them. It starts each in a folder of its own, once
with every message on disk before the answer and once as it comes, sends the same text over as many connections, and at the end kills it
with \`kill -9\` while messages arrive, starts it again and counts the answered ones that are missing. How each is started is in
\`peer-programs.mjs\`.

\`npm run bench\` measures more than this page has: latency to APNs, due jobs, sends to thousands of members, several nodes, and hostile
requests.
`

const resultOf = (results, name) => results.find((result) => result.name === name)
const count = (number) => number.toLocaleString('en')

function table(names, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')
}

// The measured tables of docs/scale.md, between its marks, from docs/scale.json. The text around them is written by hand.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ASSUMPTIONS, DAY, sizeFor } from './model.mjs'

const docs = (name) => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url))
export const resultsFile = docs('scale.json')

export function writeTables() {
  const page = docs('scale.md')
  writeFileSync(page, withTables(readFileSync(page, 'utf8'), JSON.parse(readFileSync(resultsFile, 'utf8'))))
}

// The page with what stands between its marks replaced.
export function withTables(page, results) {
  const tables = { constants: constantsTable(results), checks: checksTable(results), sizes: sizesTable(results) }
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- measured: ${name} -->\n`, '<!-- end -->']
    const from = text.indexOf(start)
    if (from < 0) throw new Error(`docs/scale.md has no place for ${name}`)
    return `${text.slice(0, from + start.length)}\n${table}\n\n${text.slice(text.indexOf(end, from))}`
  }, page)
}

const constantsTable = ({ run, atOnce, constants: { idle, kinds, connections, deletion } }) =>
  `Measured on ${run.day} with commit ${run.commit} and Node.js ${run.node} on ${run.cores} cores of ${run.processor}, ${atOnce === 1 ? 'one request' : `${atOnce} requests`} at a time.${busy(run)}

${table(
  [
    'Request',
    'CPU of the node',
    'CPU of PostgreSQL',
    'Disk that stays',
    'Records in the log',
    'Whole pages after a checkpoint',
  ],
  Object.values(kinds).map(({ title, node, database, disk, log, pages }) => [
    title,
    micros(node),
    micros(database),
    bytes(disk),
    bytes(log),
    bytes(pages),
  ]),
)}

A node has ${Math.round(connections.baseMb)} MB after these requests, and ${connections.kbEach.toFixed(0)} KB more for each open connection.
Without requests, a second costs ${micros(idle.node)} of CPU time in the node and ${micros(idle.database)} in PostgreSQL, and ${bytes(idle.log)} of records.
To delete an old notification takes ${micros(deletion.database)} of CPU time of PostgreSQL (${number(deletion.rows)} of them, in batches).`

const busy = ({ load, cores }) =>
  load > 1
    ? ` **Other programs used the machine (load ${load} on ${cores} cores), which makes CPU time dearer: take the figures as an upper bound.**`
    : ''

const WORDS = {
  node: ['CPU of the node', (ms) => inSeconds(ms)],
  database: ['CPU of PostgreSQL', (ms) => inSeconds(ms)],
  disk: ['Disk', (size) => bytes(size)],
  log: ['Records in the log', (size) => bytes(size)],
  memoryMb: ['Memory of the node', (mb) => `${Math.round(mb)} MB`],
}

const checksTable = ({ checks }) =>
  checks
    .map(
      ({ accounts, requests, apps, seconds, measured, predicted }) =>
        `${number(accounts)} accounts, ${number(requests)} requests, ${number(apps)} open connections, in ${seconds} s:

${table(
  ['', 'Model', 'Measured', 'Measured to model'],
  Object.entries(WORDS).map(([name, [words, show]]) => [
    words,
    show(predicted[name]),
    show(measured[name]),
    `${(measured[name] / predicted[name]).toFixed(2)}${Math.abs(measured[name] / predicted[name] - 1) > 0.2 ? ' (not within 20 %)' : ''}`,
  ]),
)}

A \`vacuum (analyze)\` afterwards took ${inSeconds(measured.vacuum.database)} of CPU time of PostgreSQL, and ${bytes(measured.vacuum.log)} of records.`,
    )
    .join('\n\n')

const sizesTable = ({ constants }) =>
  `On a day a person gets ${ASSUMPTIONS.messages} messages, ${DAY.push} of them with a push, has ${DAY.widget} changes of widgets and ${DAY.read} reads of them, and opens the list
${DAY.list} times; one app is always connected. The busiest second has ${ASSUMPTIONS.peak} times the mean of the day, and the cores are then ${ASSUMPTIONS.busy * 100} % busy. Messages are kept
for ${ASSUMPTIONS.daysKept} days.

${table(
  [
    'People',
    'Changes in the busiest second',
    'Cores for nodes',
    'Cores for PostgreSQL',
    'Memory for connections',
    'Disk',
    'Records in the log a day',
    'With whole pages, at most',
  ],
  [1e4, 1e6, 1e8]
    .map((people) => sizeFor(constants, people))
    .map((size) => [
      number(size.people),
      rough(size.changesPerSecond),
      rough(size.nodeCores),
      rough(size.databaseCores),
      bytes(size.memoryMb * 2 ** 20),
      bytes(size.diskBytes),
      bytes(size.logBytesPerDay),
      bytes(size.mostLogBytesPerDay),
    ]),
)}`

const inSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const micros = (ms) => `${number(Math.round(ms * 1000))} µs`
const number = (value) => value.toLocaleString('en')
const rough = (value) => (value < 10 ? value.toFixed(1) : number(Number(value.toPrecision(2))))

function bytes(size) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
  const power = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3))
  const value = size / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

function table(names, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(names), line(names.map(() => '---')), ...rows.map(line)].join('\n')
}

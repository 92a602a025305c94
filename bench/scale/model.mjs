// The model of docs/scale.md: what a workload costs is the sum of its requests, of its open connections, and of the time that it
// takes. Nothing in it depends on the number of accounts, and the checks at three sizes show whether that is so.

// `requests`: how many of each kind, in so many seconds. `nodes`: those that ask the database for work, of which one gets the requests.
// CPU time in milliseconds, disk and log in bytes. `pages`: of the log, if each request is the first after a checkpoint to change its
// pages.
export function predictRequests({ idle, kinds }, requests, seconds, nodes = 1) {
  const total = {
    node: idle.node * seconds,
    database: idle.database * seconds * nodes,
    log: idle.log * seconds * nodes,
    disk: 0,
    pages: 0,
  }
  for (const [kind, amount] of Object.entries(requests)) {
    for (const name of Object.keys(total)) total[name] += amount * kinds[kind][name]
  }
  return total
}

export const predictMemoryMb = ({ connections: { baseMb, kbEach } }, open) => baseMb + (open * kbEach) / 1024

// What a person does on a day, for the tables of sizes.
export const DAY = { push: 30, send: 20, widget: 48, list: 40, read: 48 }
const PEAK = 10
const BUSY = 0.5
const DAYS_KEPT = 90
const MESSAGES = DAY.push + DAY.send

// So many people, each with one app that is connected all day.
export function sizeFor(constants, people) {
  const { node, database, disk, log, pages } = predictRequests(constants, DAY, 0)
  const cores = (ms) => (((people * ms) / 1000 / 86_400) * PEAK) / BUSY
  const stored = (constants.kinds.push.disk * DAY.push + constants.kinds.send.disk * DAY.send) * DAYS_KEPT
  return {
    people,
    changesPerSecond: ((people * (MESSAGES + DAY.widget)) / 86_400) * PEAK,
    nodeCores: cores(node),
    databaseCores: cores(database),
    memoryMb: (people * constants.connections.kbEach) / 1024,
    diskBytes: people * (stored + Math.max(0, disk - stored / DAYS_KEPT)),
    logBytesPerDay: people * log,
    mostLogBytesPerDay: people * (log + pages),
  }
}

export const ASSUMPTIONS = { peak: PEAK, busy: BUSY, daysKept: DAYS_KEPT, messages: MESSAGES }

// npm run bench -- --compare COMMIT: the rates of this checkout as ratios to those of another commit, which is built in a folder of
// its own. Both run on databases of their own and take turns, so that a noisy machine affects them equally.
import { execFileSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CHANGE as CHANGE_ACTIVITY } from './activities.mjs'
import { compareRates, shoot } from './load.mjs'
import { TO_INBOX, TO_ONE_INBOX } from './notifications.mjs'
import { makeFolder, removeFolder, startPostgres, withServers } from './servers.mjs'
import { CHANGE as CHANGE_WIDGET, POST_AGAIN, READ } from './widgets.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const ACCOUNTS = 48
// Less is a regression, unless the machine was busy: repeat the run.
const AT_LEAST = 0.95

export async function measureAgainst(commit, options) {
  const folder = build(commit)
  try {
    const [before, after] = await Promise.all([checkoutIn(folder), checkoutIn(root)])
    const rows = []
    for (const database of ['SQLite', 'PostgreSQL']) rows.push(...(await compare(before, after, database, options)))
    return rows
  } finally {
    git('worktree', 'remove', '--force', folder)
    removeFolder(folder)
  }
}

function build(commit) {
  const folder = makeFolder('compare')
  git('worktree', 'add', '--force', '--detach', folder, commit)
  console.error(`building ${commit} …`)
  execFileSync(process.execPath, ['scripts/setup.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}

const git = (...args) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })

// Each checkout prepares and starts servers by its own scripts: their schemas and settings may differ.
async function checkoutIn(folder) {
  const load = (name) => import(new URL(name, pathToFileURL(`${folder}/bench/`)))
  const [{ prepareHome }, { startHeliograph }] = await Promise.all([load('homes.mjs'), load('servers.mjs')])
  return { prepareHome, startHeliograph }
}

function compare(before, after, database, options) {
  return withServers(async (keep) => {
    const start = async (name, { prepareHome, startHeliograph }) => {
      const databaseUrl = database === 'SQLite' ? undefined : (await keep(startPostgres())).url
      return keep(startHeliograph(name, await keep(prepareHome({ accounts: ACCOUNTS, databaseUrl }))))
    }
    const servers = [await start(`before, ${database}`, before), await start(database, after)]
    const rows = []
    for (const request of [READ, CHANGE_WIDGET, TO_INBOX, TO_ONE_INBOX, CHANGE_ACTIVITY]) {
      const those = servers.map((server) => ({ ...server, keys: server.keys.slice(0, request.accounts) }))
      for (const server of those) await begin(server, request)
      const [, row] = await compareRates(those, { ...request, goals: { [database]: AT_LEAST } }, options)
      rows.push({ ...row, unit: 'of before' })
    }
    return rows
  })
}

// Creates what the request reads or changes.
async function begin(server, request) {
  const first = request === READ || request === CHANGE_WIDGET ? POST_AGAIN : request
  await shoot(server, first, { amount: server.keys.length, connections: 1 })
}

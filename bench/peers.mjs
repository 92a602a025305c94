// npm run bench -- --peers ntfy=PATH gotify=PATH bark=PATH: sends beside other services whose programs the reader has, as ratios to
// a bare Fastify route; it neither downloads nor builds them. Services that have a message on disk before they answer are in one
// table, the others in another. At the end each is killed while it gets messages, and the answered ones that it lost are counted.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'undici'
import { openClient } from './client.mjs'
import { MESSAGE } from './examples.mjs'
import { prepareHome } from './homes.mjs'
import { bearer, compareRates } from './load.mjs'
import { TO_ONE_INBOX } from './notifications.mjs'
import { PEERS } from './peer-programs.mjs'
import {
  freePort,
  makeFolder,
  removeFolder,
  startBare,
  startHeliograph,
  startPostgres,
  startProgram,
  withServers,
} from './servers.mjs'

// Enough to be in the middle of the work, few enough to be listed soon, and no multiple of a size of batches.
const KILLED_AFTER_ANSWERS = 1900
const MOST_SENT = 10 * KILLED_AFTER_ANSWERS

const HELIOGRAPH = ['SQLite', 'PostgreSQL'].map((database) => ({
  name: `Heliograph, ${database}`,
  database,
  isDurable: true,
  request: {
    ...TO_ONE_INBOX,
    bodyFor: (_key, title = MESSAGE.title) => JSON.stringify({ ...MESSAGE, title, push: false }),
  },
  async prepare(keep) {
    const databaseUrl = database === 'SQLite' ? undefined : (await keep(startPostgres())).url
    const home = await keep(prepareHome({ databaseUrl }))
    return { home, key: home.keys[0] }
  },
  start: (place) => startHeliograph(database, place.home),
  async listTitles(server, { home }) {
    const client = openClient(server, home.tokens[0])
    const titles = []
    for (let cursor = ''; cursor !== undefined; ) {
      const page = await client.ask('GET', `/notifications?limit=100${cursor && `&cursor=${cursor}`}`)
      titles.push(...page.items.map(({ title }) => title))
      cursor = page.next_cursor ?? undefined
    }
    await client.stop()
    return titles
  },
}))

// The services of the arguments, such as ntfy=/usr/bin/ntfy; throws at one that is unknown.
export function readPeers(args) {
  return args.flatMap((argument) => {
    const [name, path] = argument.split(/=(.*)/s)
    if (!(name in PEERS) || !path) {
      throw new Error(`"${argument}" is not NAME=PATH; the names are ${Object.keys(PEERS).join(', ')}`)
    }
    return PEERS[name].settings.map((setting) => inSetting(PEERS[name], setting, path))
  })
}

function inSetting(peer, setting, path) {
  return {
    ...setting,
    request: peer.request,
    async prepare(keep) {
      const folder = makeFolder('peer')
      for (const [name, text] of Object.entries(peer.files ?? {})) writeFileSync(join(folder, name), text)
      for (const name of peer.folders ?? []) mkdirSync(join(folder, name))
      return keep({ folder, stop: () => removeFolder(folder) })
    },
    async start(place) {
      const port = await freePort()
      const args = [...peer.args(port), ...(setting.args ?? [])]
      const environment = peer.environment(port, setting)
      const server = await startProgram(setting.name, path, args, {
        ...{ cwd: place.folder, environment, port, ready: peer.ready },
      })
      place.key ??= await peer.createKey(server)
      return server
    },
    listTitles: peer.listTitles && ((server, { key }) => peer.listTitles(server, key)),
  }
}

// One table for each class of durability: its title and how it is measured.
export function peerTables(peers, { database }) {
  const own = HELIOGRAPH.filter((one) => one.database.includes(database))
  const contestants = [...own, ...peers]
  const tables = [
    ['Sends: on disk before the answer', contestants.filter(({ isDurable }) => isDurable)],
    ['Sends: settings in which an answered message may be lost', contestants.filter(({ isDurable }) => !isDurable)],
  ]
  return tables
    .filter(([, those]) => those.length > 0)
    .map(([title, those]) => [title, (options) => measureClass(those, options)])
}

async function measureClass(contestants, options) {
  const rates = await measureRates(contestants, options)
  const losses = []
  for (const contestant of contestants) {
    if (contestant.listTitles) losses.push(await measureLoss(contestant, options))
  }
  return [...rates, ...losses]
}

function measureRates(contestants, options) {
  return withServers(async (keep) => {
    const servers = [{ ...(await keep(startBare())), request: TO_ONE_INBOX }]
    for (const contestant of contestants) {
      const place = await contestant.prepare(keep)
      const server = await keep(contestant.start(place))
      const { name, request } = contestant
      servers.push({ ...server, name, request, keys: [place.key] })
    }
    const rows = await compareRates(servers, { name: 'a send' }, options)
    return rows.map((row, index) => ofService(row, servers[index].name, contestants[index - 1]?.note))
  })
}

const ofService = (row, service, remark) => ({
  ...row,
  service,
  ratio: row.value,
  note: remark ? `${row.note}; ${remark}` : row.note,
})

async function measureLoss(contestant, options) {
  const what = `answered, then lost by kill -9, ${contestant.name}`
  const { answered, lost } = await countLost(contestant, options)
  const atMost = contestant.isDurable ? 0 : undefined
  return {
    what,
    service: contestant.name,
    lost,
    answered,
    value: lost,
    unit: `of ${answered.toLocaleString('en')}`,
    atMost,
  }
}

function countLost(contestant, { connections }) {
  return withServers(async (keep) => {
    const place = await contestant.prepare(keep)
    const killed = await keep(contestant.start(place))
    const answered = await sendUntilKilled(killed, contestant.request, place.key, connections)
    const restarted = await keep(contestant.start(place))
    const stored = new Set(await contestant.listTitles(restarted, place))
    return { answered: answered.length, lost: answered.filter((title) => !stored.has(title)).length }
  })
}

// The titles of the messages that were answered with 2xx.
async function sendUntilKilled(server, { method, path, type, credentials = bearer, bodyFor }, key, connections) {
  const pool = new Pool(server.url, { connections })
  const headers = { ...credentials(key), 'content-type': type }
  const answered = []
  let sent = 0
  let isKilled = false
  const sendOneAfterTheOther = async () => {
    while (!isKilled && sent < MOST_SENT) {
      const title = `message ${++sent}`
      const answer = await pool.request({ method, path, headers, body: bodyFor(key, title) })
      await answer.body.dump()
      if (answer.statusCode < 300) answered.push(title)
      if (answered.length < KILLED_AFTER_ANSWERS || isKilled) continue
      isKilled = true
      await server.kill()
    }
  }
  const senders = Array.from({ length: connections }, sendOneAfterTheOther)
  // The kill breaks the requests of the others off.
  const endings = await Promise.allSettled(senders)
  await pool.destroy()
  if (isKilled) return answered
  throw endings.find(({ reason }) => reason)?.reason ?? new Error(`${server.name} refuses most messages`)
}

// The cost of a door: CPU time per send in the form of another service, as a ratio to the same send by the API.
// Goal: 10 % more at most.
import { Client } from 'undici'
import { prepareHome } from './homes.mjs'
import { cpuMicros, median } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const JSON_TYPE = 'application/json'

// Every field that a door makes of its message below, so that all of them store the same notification. What a door stores
// and answers beyond it is part of its cost.
const BY_API = {
  name: 'the API',
  path: '/notifications',
  type: JSON_TYPE,
  body: JSON.stringify({
    title: 'Backup',
    body: 'db01 is done',
    level: 'active',
    source: 'backup',
    source_display_name: 'backup',
    thread_id: 'ntfy:backup',
  }),
}
const BY_DOOR = [
  { name: 'ntfy, text', path: '/ntfy/backup?title=Backup', type: 'text/plain', body: 'db01 is done' },
  {
    name: 'ntfy, JSON',
    path: '/ntfy',
    type: JSON_TYPE,
    body: JSON.stringify({ topic: 'backup', title: 'Backup', message: 'db01 is done' }),
  },
  {
    name: 'Gotify, JSON',
    path: '/gotify/message',
    type: JSON_TYPE,
    body: JSON.stringify({ title: 'Backup', message: 'db01 is done', priority: 5 }),
  },
  {
    name: 'Pushover, form',
    path: '/pushover/1/messages.json',
    type: 'application/x-www-form-urlencoded',
    bodyFor: (key) => `token=${key}&user=u&title=Backup&message=db01+is+done`,
  },
]

// A volley is a few requests over each connection. The forms take turns after each, so that all of them meet the same load of
// the machine; every other round has the reverse order, because what a volley leaves behind falls into the next one.
const REQUESTS_OF_A_VOLLEY = 4
const VOLLEYS_PER_ROUND = 15
const WARM_UP_VOLLEYS = 30
// V8 compiles the same code differently from one start to the next, which changes a ratio by 0.03.
const STARTS = 5

export async function measureDoors(options) {
  const starts = []
  for (let start = 0; start < STARTS; start++) starts.push(await measureOneStart(options))
  return BY_DOOR.map(({ name }, door) => {
    const medianOf = (figure) => median(starts.map((start) => start[door][figure]))
    return {
      what: `CPU of a send in the form of ${name}, SQLite`,
      value: medianOf('ratio'),
      unit: 'of the API',
      atMost: 1.1,
      note: `${Math.round(medianOf('micros'))} µs; by the API ${Math.round(medianOf('microsByApi'))} µs`,
    }
  })
}

// Figures of each door.
function measureOneStart({ rounds, connections }) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome({ accounts: connections }))
    const server = await keep(startHeliograph('SQLite', home))
    const senders = home.keys.map((key) => ({ key, client: new Client(server.url) }))
    await keep({ stop: () => Promise.all(senders.map(({ client }) => client.close())) })
    const [byApi, ...byDoor] = await inVolleys([BY_API, ...BY_DOOR], rounds * VOLLEYS_PER_ROUND, (send) =>
      cpuOfVolley(server, senders, send),
    )
    return byDoor.map((results) => ({
      ratio: median(results.map((micros, volley) => micros / byApi[volley])),
      micros: median(results),
      microsByApi: median(byApi),
    }))
  })
}

async function inVolleys(forms, count, shoot) {
  const results = forms.map(() => [])
  const forward = [...forms.keys()]
  for (let volley = -WARM_UP_VOLLEYS; volley < count; volley++) {
    for (const index of volley % 2 === 0 ? forward : forward.toReversed()) {
      const micros = await shoot(forms[index])
      if (volley >= 0) results[index].push(micros)
    }
  }
  return results
}

// In microseconds for each request.
async function cpuOfVolley({ pid }, senders, send) {
  const before = cpuMicros(pid)
  await Promise.all(
    senders.map(async (sender) => {
      for (let sent = 0; sent < REQUESTS_OF_A_VOLLEY; sent++) await post(sender, send)
    }),
  )
  return (cpuMicros(pid) - before) / (senders.length * REQUESTS_OF_A_VOLLEY)
}

// `bodyFor`: the form has a field for the token; senders of it have no other place.
async function post({ key, client }, { path, type, body, bodyFor }) {
  const headers = { 'content-type': type, ...(!bodyFor && { authorization: `Bearer ${key}` }) }
  const answer = await client.request({ method: 'POST', path, headers, body: bodyFor?.(key) ?? body })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}: ${text}`)
}

// The cost of a door: CPU time per send in the form of another service, as a ratio to the same send by the API.
// Goal: 10 % more at most.
import { accountsToPushFor, prepareHome } from './homes.mjs'
import { shoot } from './load.mjs'
import { inRounds, inWords } from './measure.mjs'
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

export function measureDoors(options) {
  return withServers(async (keep) => {
    const seconds = (options.rounds + 1) * options.seconds * (BY_DOOR.length + 1)
    const accounts = accountsToPushFor(seconds, options.connections)
    const server = await keep(startHeliograph('SQLite', await keep(prepareHome({ accounts }))))
    const [byApi, ...byDoor] = await inRounds([BY_API, ...BY_DOOR], options, (send, duration) =>
      shoot(server, { method: 'POST', ...send }, { duration, connections: options.connections }),
    )
    return byDoor.map((results, index) => ({
      what: `CPU of a send in the form of ${BY_DOOR[index].name}, SQLite`,
      value: leastCpu(results) / leastCpu(byApi),
      unit: 'of the API',
      atMost: 1.1,
      note: `${inWords(results, 'requests')}; by the API ${inWords(byApi, 'requests')}`,
    }))
  })
}

// Whatever else runs on the machine adds to the other rounds.
const leastCpu = (results) => Math.min(...results.map(({ cpuMicros }) => cpuMicros))

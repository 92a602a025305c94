// Starting on an existing database until the server listens, and the memory of an idle server.
// Goals: 1 s and 120 MB.
import { prepareHome } from './homes.mjs'
import { cpuMs, median, nowMs, pause, residentKb } from './measure.mjs'
import { startHeliograph, withServers } from './servers.mjs'

const IDLE_MS = 2000

export function measureStart({ rounds }) {
  return withServers(async (keep) => {
    const home = await keep(prepareHome())
    const starts = []
    for (let round = 0; round < rounds; round++) starts.push(await startOnce(home))
    const middle = (pick) => median(starts.map(pick))
    return [
      {
        what: 'Start until it listens, SQLite',
        value: middle((start) => start.ms) / 1000,
        unit: 's',
        atMost: 1,
        note: `${(middle((start) => start.cpuMs) / 1000).toFixed(2)} s of CPU`,
      },
      { what: 'Resident memory when idle, SQLite', value: middle((start) => start.kb) / 1024, unit: 'MB', atMost: 120 },
    ]
  })
}

async function startOnce(home) {
  const startMs = nowMs()
  const server = await startHeliograph('SQLite', home)
  const times = { ms: nowMs() - startMs, cpuMs: cpuMs(server.pid) }
  await pause(IDLE_MS)
  const kb = residentKb(server.pid)
  await server.stop()
  return { ...times, kb }
}

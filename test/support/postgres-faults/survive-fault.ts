// Two nodes serve clients that send, PostgreSQL fails and recovers, and the log of the clients is compared with what is stored.
import { expect } from 'vitest'
import { type FaultyLink, openFaultyLink } from '../fakes/faulty-link.ts'
import { startHeliograph } from '../heliograph-process.ts'
import { isMachineFree } from '../reliability/machine-load.ts'
import type { Fault } from '../reliability/measured.ts'
import { createWriters } from '../writers.ts'
import type { OwnServer } from './own-server.ts'
import { expectStoredAsLogged, startSenders } from './senders.ts'

const ACCOUNTS = 4
const RECOVERY_MS = 10_000
// A statement that nobody answers is given up after 4.5 seconds.
const SLOWEST_MS = 5000

// Resolves when the fault is over, with the server that serves from then on.
export type CauseFault = (link: FaultyLink) => Promise<OwnServer>

// Fails if anything accepted is lost or doubled.
export async function surviveFault(name: string, server: OwnServer, cause: CauseFault): Promise<Fault> {
  const link = await openFaultyLink(server.port)
  const senders = startSenders(await startNodes(server, link))
  await senders.untilAccepted(5)
  const successor = await cause(link)
  const recoveryMs = await senders.untilAccepted(3)
  const log = await senders.end()
  expect(log).toMatchObject({ failures: [], unanswered: 0 })
  await expectStoredAsLogged(successor, log)
  expect(recoveryMs).toBeLessThan(RECOVERY_MS)
  // On a machine that others use as well, the time is only reported.
  if (isMachineFree) expect(log.slowestMs).toBeLessThan(SLOWEST_MS)
  const { accepted, slowestMs } = log
  return { name, accepted, lost: 0, doubled: 0, refused: log.refused + log.open, slowestMs, recoveryMs }
}

// A sender of each account at each of two nodes, which reach the server over one network.
async function startNodes(server: OwnServer, link: FaultyLink) {
  const writers = await createWriters({ HELIOGRAPH_DATABASE_URL: server.url }, ACCOUNTS)
  const environment = {
    HELIOGRAPH_DATABASE_URL: server.url.replace(`:${server.port}/`, `:${link.port}/`),
    HELIOGRAPH_PORT: '0',
    HELIOGRAPH_RATE_LIMIT_PER_MINUTE: '0',
  }
  const nodes = [await startHeliograph(['serve'], { environment }), await startHeliograph(['serve'], { environment })]
  return nodes.flatMap(({ url }) => writers.map(({ token }) => ({ token, nodeUrl: url })))
}

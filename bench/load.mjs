// Saturates a server with requests, and compares its rate to that of the ceiling.
import autocannon from 'autocannon'
import { cpuMs, inRounds, inWords, median, ratiosToFirst } from './measure.mjs'

// The first server is the ceiling.
export async function compareRates(servers, request, options) {
  const results = await inRounds(servers, options, (server, duration) =>
    shoot(server, request, { duration, connections: options.connections }),
  )
  const ratios = ratiosToFirst(results)
  return servers.map(({ name }, index) => ({
    what: `${request.name}, ${name}`,
    value: ratios[index],
    unit: 'of bare',
    atLeast: request.goals?.[name],
    note: `${inWords(results[index], 'requests')}, p99 ${median(results[index].map((result) => result.p99Ms))} ms`,
  }))
}

// Distributes the server's accounts over the connections, and `paths` too if there are several. `bodyFor`: for senders that put
// the key into the body.
export async function shoot(
  server,
  { method, path, paths = [path], body, bodyFor = () => body, type, expected },
  limits,
) {
  const shares = Math.min(limits.connections, server.keys.length)
  const headersFor = (key) => ({ authorization: `Bearer ${key}`, ...(type && { 'content-type': type }) })
  const requestsOf = (client) =>
    server.keys
      .filter((_, index) => index % shares === client % shares)
      .map((key) => ({ method, path: paths[client % paths.length], body: bodyFor(key), headers: headersFor(key) }))
  let clients = 0
  const beforeMs = cpuMs(server.pid)
  const result = await autocannon({
    url: server.url,
    setupClient: (client) => client.setRequests(requestsOf(clients++)),
    ...(expected && { verifyBody: (text) => text.includes(expected) }),
    ...limits,
  })
  const { non2xx, errors, mismatches } = result
  if (non2xx + errors + mismatches > 0) {
    throw new Error(
      `${server.name}: ${non2xx} refused (${Object.keys(result.statusCodeStats).join(', ')}), ${errors} failed, ${mismatches} not as expected`,
    )
  }
  return {
    perSecond: result['2xx'] / result.duration,
    cpuMicros: ((cpuMs(server.pid) - beforeMs) * 1000) / result['2xx'],
    p99Ms: result.latency.p99,
  }
}

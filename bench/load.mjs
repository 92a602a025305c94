// Saturates a server with requests, and compares its rate to that of the ceiling.
import autocannon from 'autocannon'
import { cpuMs, inRounds, inWords, median, ratiosToFirst } from './measure.mjs'

// The first server is the ceiling. A server may have a request of its own for the same work.
export async function compareRates(servers, request, options) {
  const results = await inRounds(servers, options, (server, duration) =>
    shoot(server, server.request ?? request, { duration, connections: options.connections }),
  )
  const ratios = ratiosToFirst(results)
  return servers.map(({ name }, index) => ({
    what: `${request.name}, ${name}`,
    value: ratios[index],
    cpuMicros: Math.round(median(results[index].map((result) => result.cpuMicros))),
    unit: 'of bare',
    atLeast: request.goals?.[name],
    note: `${inWords(results[index], 'requests')}, p99 ${median(results[index].map((result) => result.p99Ms))} ms`,
  }))
}

export const bearer = (key) => ({ authorization: `Bearer ${key}` })

// Distributes the server's accounts over the connections. `bodyFor`: for senders that put the key into the body. `paths`: instead
// of one path, those that each connection takes in turn, starting at another one.
export async function shoot(server, request, limits) {
  const {
    method,
    path,
    paths = [path],
    body,
    bodyFor = () => body,
    type,
    credentials = bearer,
    expected,
    isBinary,
  } = request
  const shares = Math.min(limits.connections, server.keys.length)
  const headersFor = (key) => ({ ...credentials(key), ...(type && { 'content-type': type }) })
  const requestsOf = (client) => {
    const keys = server.keys.filter((_, index) => index % shares === client % shares)
    const turns = paths.map((_, turn) => paths[(turn + client) % paths.length])
    return keys.flatMap((key) => turns.map((path) => ({ method, path, body: bodyFor(key), headers: headersFor(key) })))
  }
  let clients = 0
  const beforeMs = cpuMs(server.pid)
  const result = await autocannon({
    url: server.url,
    setupClient(client) {
      client.setRequests(requestsOf(clients++))
      if (isBinary) ignoreBody(client)
    },
    ...(expected && { verifyBody: (text) => text.includes(expected) }),
    ...limits,
  })
  const { errors, mismatches } = result
  const answered = answeredAsWanted(result, request)
  const refused = result['2xx'] + result.non2xx - answered
  if (refused + errors + mismatches > 0) {
    throw new Error(
      `${server.name}: ${refused} refused (${Object.keys(result.statusCodeStats).join(', ')}), ${errors} failed, ${mismatches} not as expected`,
    )
  }
  return {
    perSecond: answered / result.duration,
    cpuMicros: ((cpuMs(server.pid) - beforeMs) * 1000) / answered,
    p99Ms: result.latency.p99,
  }
}

// autocannon reads every body as text. For a picture of 14 KB that takes 400 µs, four times as long as the server takes for the request.
function ignoreBody({ pipelinedRequests }) {
  pipelinedRequests.addBody = () => {}
}

// Requests with one of the statuses 2xx, unless the request names the one that it is answered with.
function answeredAsWanted(result, { status }) {
  return status ? (result.statusCodeStats[status]?.count ?? 0) : result['2xx']
}

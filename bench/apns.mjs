// The APNs channel alone: pushes per second as a ratio to a loop of raw node:http2 requests to the same server, with
// one connection each. Goal: 0.7.
import { inRounds, inWords, ratiosToFirst } from './measure.mjs'
import { startApns, withServers } from './servers.mjs'

// Few enough that the channel opens no second connection.
const AT_ONCE = 100

export function measureApns(options) {
  return withServers(async (keep) => {
    const apns = await keep(startApns())
    const clients = [await keep(apns.startClient('raw')), await keep(apns.startClient('channel'))]
    const [raw, channel] = await inRounds(clients, options, (client, seconds) =>
      client.ask({ seconds, atOnce: AT_ONCE }),
    )
    const connections = await apns.ask('connections')
    if (connections !== clients.length) throw new Error(`${connections} connections of ${clients.length} clients`)
    const [ceiling, ratio] = ratiosToFirst([raw, channel])
    const what = `${AT_ONCE} pushes at once`
    return [
      { what: `${what}, raw node:http2`, value: ceiling, unit: 'of raw', note: inWords(raw, 'pushes') },
      { what: `${what}, our channel`, value: ratio, unit: 'of raw', atLeast: 0.7, note: inWords(channel, 'pushes') },
    ]
  })
}

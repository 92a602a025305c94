// The attackers of bench/hostile.mjs, in a separate process so that they do not delay the victim's measurements. Each
// connection comes from its own loopback address, because the rate limit counts addresses, and repeats its requests for
// a while. With `reads: false` it never reads the answers.
import { connect } from 'node:net'

process.send({ answer: 'ready' })

process.on('message', async ({ url, connections, network, seconds, reads = true, requests }) => {
  const { hostname, port } = new URL(url)
  const answers = { count: 0, bytes: 0, statuses: {} }
  const sockets = Array.from({ length: connections }, (_, index) =>
    attack({ hostname, port, network, index, reads, requests, answers }),
  )
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  for (const socket of sockets) socket.destroy()
  process.send({ answer: answers })
})

// Sends the next request once the answer to the last one has arrived, by its Content-Length: parsing 36 MB of JSON
// would slow the attacker down.
function attack({ hostname, port, network, index, reads, requests, answers }) {
  const socket = connect({ host: hostname, port: Number(port), localAddress: `127.1.${network}.${index + 1}` })
  let sent = 0
  let left = 0
  const send = () => {
    const { head, body = '' } = requests[(index + sent++) % requests.length]
    socket.write(
      `${head.replace(/\r\n\r\n$/, '')}\r\nhost: ${hostname}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  socket.on('connect', send)
  socket.on('error', () => {})
  if (!reads) return socket.pause()
  let head = ''
  socket.on('data', (chunk) => {
    answers.bytes += chunk.length
    if (left > 0) {
      left -= chunk.length
    } else {
      head += chunk.latin1Slice()
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const status = head.slice(9, 12)
      answers.statuses[status] = (answers.statuses[status] ?? 0) + 1
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      left = length - (head.length - end - 4)
      head = ''
    }
    if (left > 0) return
    left = 0
    answers.count++
    if (answers.statuses['429'] > 0 && sent > 150) return socket.end()
    send()
  })
  return socket
}

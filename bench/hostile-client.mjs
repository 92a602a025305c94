// The attackers of bench/hostile.mjs, in a process of their own so that they do not slow the victim's clock: so many
// connections, each from a loopback address of its own (a rate limit counts addresses), which repeat one request for a
// while. `reads: false` never takes a byte of the answers.
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

// Sends the next request when the answer to the last has begun to arrive and the line has been quiet for a moment: that is
// enough here, and reading JSON of 36 MB is not the attacker's business.
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

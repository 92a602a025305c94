// A TCP relay to a server that resets all its connections every few seconds.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export async function openFlappingLink(serverUrl, everyMs) {
  const sockets = new Set()
  const link = createServer((near) => {
    const far = connect(Number(new URL(serverUrl).port), '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  link.listen(0, '127.0.0.1')
  await once(link, 'listening')
  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const timer = setInterval(reset, everyMs)
  return {
    url: serverUrl.replace(/:\d+/, `:${link.address().port}`),
    stop() {
      clearInterval(timer)
      reset()
      link.close()
    },
  }
}

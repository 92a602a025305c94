// Preloaded into a server under attack (`node --import`): reports over IPC the longest event-loop delay since the last
// question, in milliseconds.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (question) => {
  if (question !== 'longest stall') return
  process.send({ answer: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) })
  delay.reset()
})
// The IPC channel must not keep a server running that is told to stop.
process.channel?.unref()

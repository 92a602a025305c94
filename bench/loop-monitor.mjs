// Preloaded into a server under attack (`node --import`): answers over IPC how long the event loop was held at the most
// since it was asked last, in milliseconds.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (question) => {
  if (question !== 'longest stall') return
  process.send({ answer: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) })
  delay.reset()
})
// Listening to IPC must not keep a server alive that is told to stop.
process.channel?.unref()

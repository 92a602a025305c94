// Preloaded into a server under attack (`node --import`): reports over IPC, or at SIGUSR2 in a line of its output, the longest
// event-loop delay since the last question, and the most CPU time that the thread of the event loop used between two turns
// of a timer, in milliseconds. On a busy machine only the second says what a request costs; the first also has the time that
// others were given.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

let mostCpuMs = 0
let lastCpuMs = threadCpuMs()
setInterval(() => {
  const nowMs = threadCpuMs()
  mostCpuMs = Math.max(mostCpuMs, nowMs - lastCpuMs)
  lastCpuMs = nowMs
}, RESOLUTION_MS).unref()

// Node.js before 23.9 knows the time of all threads only.
function threadCpuMs() {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

function takeLongest() {
  const longest = { longestMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS), cpuMs: mostCpuMs }
  delay.reset()
  mostCpuMs = 0
  return longest
}

process.on('message', (question) => {
  if (question === 'longest stall') process.send({ answer: takeLongest() })
})
process.on('SIGUSR2', () => process.stdout.write(`longest stall ${JSON.stringify(takeLongest())}\n`))
// The IPC channel must not keep a server running that is told to stop.
process.channel?.unref()

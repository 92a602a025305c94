// Preloaded into a server under a soak (`node --import`): reports over IPC, after a full garbage collection, what the process
// keeps, and the event-loop delay since the last question.
import { createHook } from 'node:async_hooks'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const session = new Session()
session.connect()

// process.getActiveResourcesInfo() does not list timers with unref().
const timers = new Set()
createHook({
  init(id, kind) {
    if (kind === 'Timeout') timers.add(id)
  },
  destroy: (id) => timers.delete(id),
}).enable()

process.on('message', async (question) => {
  if (question !== 'resources') return
  const loopP99Ms = delay.percentile(99) / 1e6
  await session.post('HeapProfiler.collectGarbage')
  delay.reset()
  process.send({ answer: { residentMb: process.memoryUsage.rss() / 2 ** 20, timers: timers.size, loopP99Ms } })
})
// The IPC channel must not keep a server running that is told to stop.
process.channel?.unref()

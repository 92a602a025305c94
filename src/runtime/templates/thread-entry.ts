// The entry of a thread for templates.
import { systemClock } from '../clock.ts'
import { serveTasks } from '../threads/entry.ts'
import { parseErrors, renderFields } from './liquid.ts'
import type { Result, Task } from './thread.ts'

// The time that this thread computes, where Node tells it (23.9 and newer): on a busy machine a thread waits for a core
// longer than a template takes.
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
const elapsedMs = typeof process.threadCpuUsage === 'function' ? usedMs : systemClock.monotonicMs

// liquidjs measures its limit by this clock.
Object.defineProperty(globalThis, 'performance', { value: { now: elapsedMs } })

serveTasks<Task, Result>(({ fields, scope }) =>
  scope ? renderFields(fields, scope, elapsedMs) : { errors: parseErrors(fields) },
)

// A log that keeps every line, at the most talkative level, so that tests can look for what must not be in it.
import { pino } from 'pino'
import type { Log } from '../../../src/runtime/log.ts'

export type MemoryLog = { log: Log; lines: string[] }

export function createMemoryLog(): MemoryLog {
  const lines: string[] = []
  return { lines, log: pino({ level: 'trace', base: undefined }, { write: (line) => lines.push(line) }) }
}

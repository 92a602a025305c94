// A log that records every line at trace level, so that tests can search for what must not be logged.
import { pino } from 'pino'
import type { Log } from '../../../src/runtime/log.ts'

export type MemoryLog = { log: Log; lines: string[] }

export function createMemoryLog(): MemoryLog {
  const lines: string[] = []
  return { lines, log: pino({ level: 'trace', base: undefined }, { write: (line) => lines.push(line) }) }
}

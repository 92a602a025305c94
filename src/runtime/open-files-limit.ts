// The number of files and sockets that this process may have open.
import { readFileSync } from 'node:fs'

// Undefined if the operating system sets no limit or does not report it in this way. Node raises the soft limit to the
// hard one at its start.
export function openFilesLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

// Files that the process opens besides connections of clients: database, push services, log, console.
const OWN_FILES = 100

// Above the limit of the operating system, clients get no answer and pushes cannot be sent.
export const mayOpenTooFewFiles = (limit: number | undefined, maxConnections: number): limit is number =>
  limit !== undefined && limit < maxConnections + OWN_FILES

// How many files and sockets this process may have open.
import { readFileSync } from 'node:fs'

// Undefined where the operating system does not tell it in this way, or sets no limit. Node.js raises the soft limit to
// the hard one when it starts.
export function openFilesLimit(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

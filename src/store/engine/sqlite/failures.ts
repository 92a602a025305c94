// Classifies SQLite's errors: trouble of the file or its disk, or a mistake of ours.
import type { Trouble } from '../trouble.ts'

// The low byte of the result code, as https://www.sqlite.org/rescode.html lists them.
const TROUBLES: Record<number, Trouble> = {
  5: 'locked',
  6: 'locked',
  8: 'read-only',
  10: 'failing',
  11: 'damaged',
  13: 'full',
  14: 'failing',
  15: 'locked',
  26: 'damaged',
}
const READONLY_DBMOVED = 1032

// Returns undefined if the statement is at fault and not the file.
export function troubleOf(error: unknown): Trouble | undefined {
  if (error instanceof FileMoved) return 'moved'
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  const code = Number(error.errcode)
  return code === READONLY_DBMOVED ? 'moved' : TROUBLES[code & 0xff]
}

// SQLite keeps writing into a file that was unlinked or replaced. Those writes are lost when the process ends.
export class FileMoved extends Error {}

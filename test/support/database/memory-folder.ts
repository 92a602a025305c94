// The folder for the databases of a run of tests, in memory where there is room: they are synced to disk at every commit
// otherwise, which is about half of their time. test/faults holds that what is synced survives, on a real disk.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
// A run fills less than a tenth of it. The default of containers, 64 MB, does not suffice.
const NEEDED_BYTES = 4 * 2 ** 30

export const isInMemory = (folder: string) => folder.startsWith(`${MEMORY}/`)

// One for all projects: Vitest loads its configuration anew for each of them.
export const runFolder = () => (process.env.TEST_RUN_FOLDER ??= createRunFolder())

// Removed when the process ends, with everything that killed workers leave in it.
function createRunFolder(): string {
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'heliograph-run-'))
  // Started by root, PostgreSQL runs as user postgres, who needs access to its files.
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= NEEDED_BYTES && process.availableMemory() >= NEEDED_BYTES
}

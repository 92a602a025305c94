// A secret in a file of the data folder that only its owner can read. An existing file is never replaced: a lost secret
// cannot be made again (decision 22).

import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode, StartError } from '../domain/errors.ts'
import { randomText } from './ids.ts'
import { syncFolder } from './sync-folder.ts'

// Undefined if there is no such file. Any other failure stops the start.
export function readSecretFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new StartError(
      `the secret ${file} cannot be read (${errorCode(error) ?? error}); let the user that runs Heliograph read it, or restore it from a backup`,
    )
  }
}

// Stores the secret unless another process has stored one, and returns the stored one.
export function storeSecretFile(file: string, secret: string): string {
  const draft = `${file}.${randomText(8)}.new`
  try {
    writeThrough(draft, secret)
    linkUnlessTaken(draft, file)
    syncFolder(dirname(file))
  } catch (error) {
    throw new StartError(
      `the secret ${file} cannot be written (${errorCode(error) ?? error}); check the disk and the data folder`,
    )
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecretFile(file) ?? secret
}

// Synced before it gets its name: after a power cut the file is complete or absent, never empty.
function writeThrough(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

// Unlike a rename, a link fails if the name is taken.
function linkUnlessTaken(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    // Some file systems, such as exFAT, have no hard links.
    if (errorCode(error) !== 'EEXIST') renameSync(draft, file)
  }
}

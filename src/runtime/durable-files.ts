// Files that survive a power cut: secrets of the data folder, and files that get their name when they are complete.
import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { errorCode, StartError } from '../domain/errors.ts'
import { randomText } from './ids.ts'

// Makes the names in a folder durable: a new or renamed file survives a power cut only after this.
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    ignoreMissingSync(error)
  }
}

// For requests: an fsync may take long, and this one does not block the event loop.
export async function syncFolderAside(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    ignoreMissingSync(error)
  }
}

function ignoreMissingSync(error: unknown): void {
  if (!NO_FOLDER_SYNC.includes(String(errorCode(error)))) throw error
}

// The errors of Windows and of some network file systems, which cannot fsync a folder.
const NO_FOLDER_SYNC = ['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']

// A secret in a file that only its owner can read. An existing file is never replaced: a lost secret cannot be made again
// (decision 22).
//
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

// A file for its owner alone: a program that is interrupted leaves no half of it under its name.
export type OutputFile = {
  stream: Writable
  // Gives the file its name.
  finish(): void
  discard(): void
}

// Unless `overwrite`, a file of that name is never replaced. A folder or a device is not replaced at all.
export function createOutputFile(file: string, { overwrite }: { overwrite: boolean }): OutputFile {
  const existing = statSync(file, { throwIfNoEntry: false })
  if (existing && !existing.isFile()) throw new StartError(`${file} is not a regular file; choose another name`)
  if (existing && !overwrite) throw taken(file)
  const draft = `${file}.${randomText(8)}.part`
  const descriptor = attempt(file, () => openSync(draft, 'wx', 0o600))
  return {
    stream: createWriteStream(draft, { fd: descriptor, autoClose: false }),
    finish() {
      attempt(file, () => {
        fsyncSync(descriptor)
        closeSync(descriptor)
        if (overwrite) renameSync(draft, file)
        else renameUnlessTaken(draft, file)
        syncFolder(dirname(file))
      })
    },
    discard: () => rmSync(draft, { force: true }),
  }
}

// Unlike a rename, a link fails if the name is taken.
function renameUnlessTaken(draft: string, file: string): void {
  try {
    linkSync(draft, file)
    rmSync(draft)
  } catch (error) {
    if (existsSync(file)) throw taken(file)
    // Some file systems, such as exFAT, have no hard links.
    if (errorCode(error)) renameSync(draft, file)
  }
}

function attempt<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`${file} cannot be written (${errorCode(error) ?? error})`)
  }
}

const taken = (file: string) =>
  new StartError(`${file} exists already; choose another name, or replace it with --force`)

// A file for its owner alone that gets its name when it is complete: a program that is interrupted leaves no half of it
// under that name.
import {
  closeSync,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { errorCode, StartError } from '../domain/errors.ts'
import { randomText } from './ids.ts'
import { syncFolder } from './sync-folder.ts'

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

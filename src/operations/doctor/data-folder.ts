// The data folder: who may read it, and how much room its disk has.
import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../../domain/errors.ts'
import { type Check, type Found, failure, ok, warning } from './finding.ts'

export const dataFolderChecks = (folder: string): Check[] => [
  { name: 'data folder', look: async () => checkAccess(folder) },
  { name: 'disk space', look: async () => checkRoom(folder) },
]

// The lock of the server and its journal are empty.
const LOCK = /^serving\.lock/

function checkAccess(folder: string): Found {
  if (!existsSync(folder)) {
    return failure(`${folder} does not exist`, 'start the server, which creates it, or correct HELIOGRAPH_DATA_DIR')
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return failure(
      `${folder} cannot be read and written by this user (${errorCode(error)})`,
      'run this command as the user that runs the server, or correct HELIOGRAPH_DATA_DIR',
    )
  }
  const readable = [folder, ...secretFiles(folder)].filter((path) => (statSync(path).mode & 0o077) !== 0)
  if (readable.length === 0) return ok(`${folder} is readable for its owner only`)
  return failure(`other users may read ${readable.join(', ')}`, `chmod go= ${readable.join(' ')}`)
}

const secretFiles = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !LOCK.test(entry.name))
    .map(({ name }) => join(folder, name))

const MEGABYTE = 1024 * 1024
const FEW_BYTES = 1024 * MEGABYTE
const TOO_FEW_BYTES = 100 * MEGABYTE

function checkRoom(folder: string): Found {
  const { bavail, bsize } = statfsSync(existingPart(folder))
  const freeBytes = bavail * bsize
  const found = `${Math.floor(freeBytes / MEGABYTE)} MB are free on the disk of ${folder}`
  const fix = 'make room: without it no change can be stored'
  if (freeBytes < TOO_FEW_BYTES) return failure(found, fix)
  return freeBytes < FEW_BYTES ? warning(found, fix) : ok(found)
}

const existingPart = (folder: string): string => (existsSync(folder) ? folder : existingPart(dirname(resolve(folder))))

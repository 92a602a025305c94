// Makes the names in a folder durable: a new or renamed file survives a power cut only after this.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { errorCode } from '../domain/error-code.ts'

export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!NO_FOLDER_SYNC.includes(String(errorCode(error)))) throw error
  }
}

// The errors of Windows and of some network file systems, which cannot fsync a folder.
const NO_FOLDER_SYNC = ['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']

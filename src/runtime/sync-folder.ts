// Makes the names in a folder durable: a new or renamed file survives a power cut only after this.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { errorCode } from '../domain/errors.ts'

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

// The content of uploaded files in a folder, one file each, for a server with the embedded database.
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, opendir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileContents, type FileId, isFileId } from '../domain/files.ts'
import { syncFolderAside } from './durable-files.ts'

const BATCH = 100

export function contentsInFolder(folder: string): FileContents {
  const pathOf = (id: FileId) => join(folder, id)
  return {
    async write(id, content) {
      const isNewFolder = await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(pathOf(id), 'wx', 0o600)
      try {
        for await (const chunk of content) await file.writeFile(chunk)
        await file.sync()
      } finally {
        await file.close()
      }
      // The row that says the file is complete must not survive a power loss without it.
      await syncFolderAside(folder)
      if (isNewFolder) await syncFolderAside(dirname(folder))
    },
    // An empty range has no last byte, which the stream wants to know.
    read: (id, { start, end }) => (start < end ? createReadStream(pathOf(id), { start, end: end - 1 }) : nothing()),
    async remove(ids) {
      for (const id of ids) await rm(pathOf(id), { force: true })
    },
    listBatches: () => listBatches(folder),
  }
}

async function* nothing(): AsyncIterable<Buffer> {}

async function* listBatches(folder: string): AsyncIterable<FileId[]> {
  // The first upload makes it.
  if (!existsSync(folder)) return
  let batch: FileId[] = []
  for await (const { name } of await opendir(folder)) {
    // Files that are not ours are left alone.
    if (!isFileId(name)) continue
    batch.push(name)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

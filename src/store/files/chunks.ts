// The content of files as rows, for PostgreSQL, where nodes share no folder. Each chunk is a transaction: a file of 15 MB in
// one statement would be in memory as a whole. Chunks are base64, because our tables have text and integers only.
import { Buffer } from 'node:buffer'
import type { FileContents, FileId } from '../../domain/files.ts'
import type { Database, Reader, Writer } from '../engine/database.ts'
import { sql } from '../engine/sql.ts'

const CHUNK_BYTES = 192 * 1024

export function contentsInRows(db: Database): FileContents {
  return {
    async write(id, content) {
      let number = 0
      for await (const chunk of inChunks(content)) {
        const text = chunk.toString('base64')
        await db.transact(async (tx) => insertChunk(tx, id, number, text))
        number++
      }
    },
    async *read(id, { start, end }) {
      for (let number = Math.floor(start / CHUNK_BYTES); number * CHUNK_BYTES < end; number++) {
        const chunk = await findChunk(db.read, id, number)
        if (!chunk) throw new Error('the file was deleted while it was read')
        const offset = number * CHUNK_BYTES
        yield chunk.subarray(Math.max(start - offset, 0), end - offset)
      }
    },
    // The rows are deleted with the row of their file.
    async remove() {},
    async *listBatches() {},
  }
}

async function insertChunk(tx: Writer, id: FileId, number: number, content: string): Promise<void> {
  tx.queue(sql`insert into file_chunks (file_id, number, content) values (${id}, ${number}, ${content})`)
}

async function findChunk(db: Reader, id: FileId, number: number): Promise<Buffer | undefined> {
  const row = await db.first<{ content: string }>(
    sql`select content from file_chunks where file_id = ${id} and number = ${number}`,
  )
  return row && Buffer.from(row.content, 'base64')
}

// Chunks of equal length, so that a position in the file tells the number of its chunk.
async function* inChunks(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const part of content) {
    parts.push(part)
    bytes += part.length
    while (bytes >= CHUNK_BYTES) {
      const joined = Buffer.concat(parts)
      yield joined.subarray(0, CHUNK_BYTES)
      parts = [joined.subarray(CHUNK_BYTES)]
      bytes = joined.length - CHUNK_BYTES
    }
  }
  if (bytes > 0) yield Buffer.concat(parts)
}

// The file of a backup: what was written is read back, and anything else is refused in one line.
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { archiveText, type Header, type Row, type TableContent } from '../../src/operations/backup/archive.ts'
import { type ArchivePart, readArchive } from '../../src/operations/backup/read-archive.ts'
import { verifyBackup } from '../../src/operations/backup/restore.ts'
import { MIGRATIONS } from '../../src/store/engine/migrate.ts'

const HEADER: Header = { heliograph_backup: 1, program: '1.2.3', schema: 1, made_at: '2026-11-16T00:00:00.000Z' }
const ROWS: Row[] = [
  ['ä\u2028\n', 1],
  [null, Number.MAX_SAFE_INTEGER],
]

async function* tables(): AsyncGenerator<TableContent> {
  yield { name: 'users', columns: ['name', 'age'], lastNumber: null, batches: [ROWS] }
  yield { name: 'jobs', columns: ['id'], lastNumber: 7, batches: [] }
}

async function write(header: Partial<Header> = {}): Promise<Buffer> {
  let text = ''
  for await (const chunk of archiveText({ ...HEADER, ...header }, tables())) text += chunk
  return gzipSync(text)
}

async function* inChunks(bytes: Buffer, size = 3): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function read(bytes: Buffer): Promise<ArchivePart[]> {
  const parts: ArchivePart[] = []
  for await (const part of readArchive(inChunks(bytes))) parts.push(part)
  return parts
}

const edited = (bytes: Buffer, edit: (lines: string[]) => string[]) =>
  gzipSync(`${edit(gunzipSync(bytes).toString().trimEnd().split('\n')).join('\n')}\n`)

test('what was written is read back', async () => {
  const parts = await read(await write())
  expect(parts.slice(0, 4)).toEqual([
    { header: HEADER },
    { table: { table: 'users', columns: ['name', 'age'], last_number: null } },
    { row: ROWS[0] },
    { row: ROWS[1] },
  ])
  expect(parts.at(-1)).toMatchObject({ end: { end_of: 'backup', rows: 2 } })
  expect(await verifyBackup(inChunks(await write()))).toEqual({ header: HEADER, rows: 2 })
})

describe('a backup is refused', () => {
  test('if it is cut off at any byte', async () => {
    const backup = await write()
    for (let length = 0; length < backup.length; length += 7) {
      await expect(read(backup.subarray(0, length)), `${length} bytes`).rejects.toThrow(/^the backup is damaged/)
    }
  })

  test('if any byte was changed', async () => {
    const backup = await write()
    // The 10 bytes of the gzip header hold only the time and the kind of system.
    for (let at = 10; at < backup.length; at += 7) {
      const changed = Buffer.from(backup)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      await expect(read(changed), `byte ${at}`).rejects.toThrow(/^the backup is damaged|not a backup/)
    }
  })

  test.each([
    ['a row was changed', (lines: string[]) => lines.map((line) => line.replace('[null,', '["x",')), /table users/],
    ['a row is missing', (lines: string[]) => lines.toSpliced(2, 1), /table users/],
    ['a table is missing', (lines: string[]) => lines.toSpliced(1, 4), /content of the backup/],
    [
      'the header was changed',
      (lines: string[]) => lines.map((line) => line.replace('1.2.3', '9.9.9')),
      /of the backup/,
    ],
    ['its end is missing', (lines: string[]) => lines.slice(0, -1), /its end is missing/],
    ['more follows after its end', (lines: string[]) => [...lines, '[]'], /more follows/],
    ['a line is not JSON', (lines: string[]) => lines.with(2, 'x'), /not JSON/],
  ])('if %s', async (_what, edit, reason) => {
    await expect(read(edited(await write(), edit))).rejects.toThrow(reason)
  })

  test('if it is another file', async () => {
    await expect(read(gzipSync('{"name":"x"}\n'))).rejects.toThrow('this file is not a backup of Heliograph')
    await expect(read(Buffer.from('text'))).rejects.toThrow(/^the backup is damaged/)
  })

  test('if a newer version made it', async () => {
    await expect(read(await write({ heliograph_backup: 2 }))).rejects.toThrow(/newer format/)
    const newer = await write({ schema: MIGRATIONS.length + 1 })
    await expect(verifyBackup(inChunks(newer))).rejects.toThrow(
      /made by Heliograph 1.2.3 .*restore it with that version/,
    )
  })
})

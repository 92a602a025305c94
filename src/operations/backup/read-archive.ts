// Reads a backup and verifies it on the way: its format, the checksum of every table, and that nothing is missing.
//
//   start ──header──► between tables ──table──► in a table ──row──► in a table
//                        │      ▲                   │
//                        │      └───end of table────┘
//                        └───end of backup───► complete
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode, StartError } from '../../domain/errors.ts'
import {
  createTally,
  type EndLine,
  FORMAT,
  type Header,
  type Row,
  type TableLine,
  type Tally,
  WHOLE,
} from './archive.ts'

export type ArchivePart = { header: Header } | { table: TableLine } | { row: Row } | { end: EndLine }

// Rows are yielded before the checksum of their table is known: if this throws, what was made of them must be undone.
export async function* readArchive(compressed: AsyncIterable<Buffer>): AsyncGenerator<ArchivePart> {
  const verifier = createVerifier()
  try {
    for await (const line of linesOf(unzip(compressed))) yield verifier.take(line)
  } catch (error) {
    throw isOfGzip(error) ? damaged('it is not a complete gzip file') : error
  }
  verifier.requireComplete()
}

function createVerifier() {
  const whole = createTally()
  let table: { name: string; tally: Tally } | undefined
  let isStarted = false
  let isComplete = false

  function readInTable(line: string, value: unknown, { name, tally }: { name: string; tally: Tally }): ArchivePart {
    if (isRow(value)) {
      tally.add(line, 1)
      return { row: value }
    }
    const end = tally.end(name)
    requireEqual(end, value)
    table = undefined
    return { end }
  }

  function readBetweenTables(line: string, value: unknown): ArchivePart {
    if (isTableLine(value)) {
      table = { name: value.table, tally: createTally() }
      table.tally.add(line, 0)
      return { table: value }
    }
    const end = whole.end(WHOLE)
    requireEqual(end, value)
    isComplete = true
    return { end }
  }

  function read(line: string): ArchivePart {
    const value = parse(line)
    if (table) return readInTable(line, value, table)
    if (isStarted) return readBetweenTables(line, value)
    isStarted = true
    return { header: requireFormat(value) }
  }

  return {
    take(line: string): ArchivePart {
      if (isComplete) throw damaged('more follows after its end')
      const part = read(line)
      if (!isComplete) whole.add(line, 'row' in part ? 1 : 0)
      return part
    },
    requireComplete() {
      if (!isComplete) throw damaged('its end is missing')
    },
  }
}

const damaged = (reason: string) => new StartError(`the backup is damaged: ${reason}; use another one`)

const isRow = (value: unknown): value is Row => Array.isArray(value)

function isTableLine(value: unknown): value is TableLine {
  return typeof value === 'object' && value !== null && 'table' in value && 'columns' in value
}

function requireEqual(expected: EndLine, found: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  const what = expected.end_of === WHOLE ? 'the backup' : `the table ${expected.end_of}`
  throw damaged(`the content of ${what} does not match its checksum`)
}

function requireFormat(value: unknown): Header {
  const header = value as Partial<Header> | null
  if (typeof header?.heliograph_backup !== 'number' || typeof header.schema !== 'number') {
    throw new StartError('this file is not a backup of Heliograph')
  }
  if (header.heliograph_backup > FORMAT) {
    throw new StartError(
      `the backup was made by Heliograph ${header.program} in a newer format; restore it with that version`,
    )
  }
  return header as Header
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw damaged('it holds a line that is not JSON')
  }
}

function unzip(compressed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  // A failure of the source reaches the reader through the stream that it destroys.
  pipeline(compressed, gunzip, () => {})
  return gunzip
}

const isOfGzip = (error: unknown) => /^Z_/.test(errorCode(error) ?? '')

const LINE_FEED = 0x0a
// Longer than any row: a request body has at most 1 MiB.
const LONGEST_LINE_BYTES = 64 * 1024 * 1024

// Splits at line feeds only; node:readline would also split at U+2028, which JSON texts may contain.
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of bytes) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString()
      begun = []
      begunBytes = 0
      start = end + 1
    }
    begun.push(chunk.subarray(start))
    begunBytes += chunk.length - start
    if (begunBytes > LONGEST_LINE_BYTES) throw damaged('it holds a line that no backup has')
  }
  if (begunBytes > 0) throw damaged('its last line is cut off')
}

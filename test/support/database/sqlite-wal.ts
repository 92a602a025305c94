// Reads SQLite's write-ahead log as its format document describes it: a header, then frames of one page each.
// The last frame of a commit carries the size of the database; frames of an earlier round carry another salt.

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

// Where each commit ends, in bytes from the beginning of the file.
export function commitEnds(wal: Buffer): number[] {
  if (wal.length < HEADER_BYTES) return []
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8)
  const salt = wal.subarray(16, 24)
  const ends: number[] = []
  for (let start = HEADER_BYTES; start + frameBytes <= wal.length; start += frameBytes) {
    if (!wal.subarray(start + 8, start + 16).equals(salt)) break
    if (wal.readUInt32BE(start + 4) > 0) ends.push(start + frameBytes)
  }
  return ends
}

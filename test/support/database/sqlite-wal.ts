// Parses SQLite's write-ahead log as its file format document describes it: a header, then frames of one page each.
// The last frame of a commit holds the size of the database; frames from before the last reset have another salt.

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

// The offset at which each commit ends.
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

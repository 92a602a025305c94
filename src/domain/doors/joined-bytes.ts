// Joins pieces into one buffer by copying them as they come: a list of small pieces would take hundreds of bytes for each.
import { Buffer } from 'node:buffer'

const LEAST_BYTES = 4096

export class JoinedBytes {
  length = 0
  private bytes: Buffer = Buffer.alloc(0)

  // An only piece is not copied: most bodies have one.
  add(piece: Buffer): void {
    const { length } = this
    this.length += piece.length
    if (length === 0) {
      this.bytes = piece
      return
    }
    if (this.length > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(LEAST_BYTES, 2 * this.length))
      this.bytes.copy(larger, 0, 0, length)
      this.bytes = larger
    }
    piece.copy(this.bytes, length)
  }

  joined(): Buffer {
    return this.bytes.subarray(0, this.length)
  }
}

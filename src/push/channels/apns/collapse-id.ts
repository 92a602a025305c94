// APNs takes a collapse id of at most 64 bytes in a header; ours is 64 characters of any script.
import { createHash } from 'node:crypto'

// A header cannot carry other scripts, nor spaces at its ends.
const FITS = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/

export function toApnsCollapseId(collapseId: string): string {
  return FITS.test(collapseId) ? collapseId : createHash('sha256').update(collapseId).digest('base64url')
}

// Where a page of a list ended, as an opaque text: the id of its last row behind a version, so that the form can change.
import { Buffer } from 'node:buffer'

const FORM = /^v1:(\d+)$/

export function encodeCursor(lastId: number): string {
  return Buffer.from(`v1:${lastId}`).toString('base64url')
}

// Only what encodeCursor gave out is taken back: the decoder alone would ignore foreign characters and leading zeros.
export function decodeCursor(cursor: string): number | undefined {
  const id = Number(FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  return id > 0 && Number.isSafeInteger(id) && encodeCursor(id) === cursor ? id : undefined
}

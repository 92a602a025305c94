// Where a page of a list ended, as an opaque text: the id of its last row behind a version, so that the form can change.
import { Buffer } from 'node:buffer'
import { type Instant, instant } from './instant.ts'

const FORM = /^v1:(\d+)$/

export function encodeCursor(lastId: number): string {
  return Buffer.from(`v1:${lastId}`).toString('base64url')
}

// Only what encodeCursor gave out is taken back: the decoder alone would ignore foreign characters and leading zeros.
export function decodeCursor(cursor: string): number | undefined {
  const id = Number(FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  return id > 0 && Number.isSafeInteger(id) && encodeCursor(id) === cursor ? id : undefined
}

// The same for a list that is sorted by a time first, under the name of that list: its order is not another's.
export type Place = { at: Instant; id: number }

const PLACE_FORM = /^v1:(\w+):(\d+):(\d+)$/

export function encodePlace(list: string, { at, id }: Place): string {
  return Buffer.from(`v1:${list}:${at}:${id}`).toString('base64url')
}

export function decodePlace(list: string, cursor: string): Place | undefined {
  const [, , at, id] = PLACE_FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const place = { at: instant(Number(at)), id: Number(id) }
  return Number.isSafeInteger(place.at + place.id) && encodePlace(list, place) === cursor ? place : undefined
}

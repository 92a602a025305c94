// Pages and cursors. A cursor says where a page ended, as opaque text: a version and the id of the last row.
import { Buffer } from 'node:buffer'
import { type Instant, instant } from './instant.ts'

export type Page<Item> = { items: Item[]; nextCursor?: string }

const CURSOR_FORM = /^v1:(\d+)$/

export function encodeCursor(lastId: number): string {
  return Buffer.from(`v1:${lastId}`).toString('base64url')
}

// Compares with what encodeCursor would give out: the base64url decoder ignores foreign characters and leading zeros.
export function decodeCursor(cursor: string): number | undefined {
  const id = Number(CURSOR_FORM.exec(Buffer.from(cursor, 'base64url').toString())?.[1])
  return id > 0 && Number.isSafeInteger(id) && encodeCursor(id) === cursor ? id : undefined
}

// A cursor of a list that is sorted by time and id. It names the list, because each list has an order of its own.
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

// The same for a list whose ids are UUIDs.
export type UuidPlace = { at: Instant; id: string }

const UUID_PLACE_FORM = /^v1:(\w+):(\d+):([0-9a-f-]{36})$/

export function encodeUuidPlace(list: string, { at, id }: UuidPlace): string {
  return Buffer.from(`v1:${list}:${at}:${id}`).toString('base64url')
}

export function decodeUuidPlace(list: string, cursor: string): UuidPlace | undefined {
  const [, , at, id = ''] = UUID_PLACE_FORM.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const place = { at: instant(Number(at)), id }
  return Number.isSafeInteger(place.at) && encodeUuidPlace(list, place) === cursor ? place : undefined
}

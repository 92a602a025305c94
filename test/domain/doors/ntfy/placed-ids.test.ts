// Ids of messages that apps of ntfy get: places in one order, and back.
import { expect, test } from 'vitest'
import type { UserId } from '../../../../src/domain/caller.ts'
import { placedIdOf, placeOf } from '../../../../src/domain/doors/ntfy/message-id.ts'

const ada = 'ada' as UserId

test('12 letters and digits, in the order of the places, and turned back', () => {
  const places = [0, 1, 61, 62, 3_843].flatMap((index) =>
    [1, 61, 62, 1_000_000, 3_500_000_000_000].map((event) => ({ event, index })),
  )
  for (const place of places) {
    const id = placedIdOf(ada, place)
    expect(id).toMatch(/^[0-9A-Za-z]{12}$/)
    expect(placeOf(ada, id)).toEqual(place)
  }
  const inOrder = places.toSorted((a, b) => a.event - b.event || a.index - b.index)
  const ids = inOrder.map((place) => placedIdOf(ada, place))
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
})

test('an id of another account or form is no place', () => {
  const id = placedIdOf(ada, { event: 1, index: 0 })
  expect(placeOf('grace' as UserId, id)).toBeUndefined()
  expect(placeOf(ada, 'n00000000001')).toBeUndefined()
  expect(placeOf(ada, 'all')).toBeUndefined()
})

// A page of a list as clients see it.
import type { Page } from '../domain/cursor.ts'

export const pageView = <Item, View>({ items, nextCursor }: Page<Item>, view: (item: Item) => View) => ({
  items: items.map(view),
  next_cursor: nextCursor,
  has_more: nextCursor !== undefined,
})

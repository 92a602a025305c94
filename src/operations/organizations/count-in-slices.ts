// Counts what belongs to each of many groups or tags. Counting all of them at once would block the event loop.
import type { UserId } from '../../domain/caller.ts'
import type { Context } from '../context.ts'

export async function countInSlices<Item, Counted>(
  { slices }: Pick<Context, 'slices'>,
  owner: UserId,
  { items, perSlice }: { items: readonly Item[]; perSlice: number },
  count: (some: Item[]) => Promise<Counted[]>,
): Promise<Counted[]> {
  const counted: Counted[] = []
  for (let start = 0; start < items.length; start += perSlice) {
    counted.push(...(await slices(owner, () => count(items.slice(start, start + perSlice)))))
  }
  return counted
}

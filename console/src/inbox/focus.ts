// Where the keyboard focus goes when the open notification is closed or its row disappears.
import { pinned, rows } from './inbox.ts'

// The ids in the order in which the list shows them. `opened`: one of the earlier ones of a thread, which is shown while it
// is open.
export function listedIds(opened?: number): number[] {
  const listed = rows.value.flatMap(({ newest, earlier }) =>
    opened !== undefined && earlier.some(({ id }) => id === opened) ? [newest.id, opened] : [newest.id],
  )
  return [...pinned.value.map(({ id }) => id), ...listed]
}

// The one below it, or above it if it is the last.
export function nextTo(id: number): number | undefined {
  const ids = listedIds(id)
  const at = ids.indexOf(id)
  return at === -1 ? ids[0] : (ids[at + 1] ?? ids[at - 1])
}

// Goes to the list, then to the row of that notification, or to the title if there is none.
export function leaveFor(id: number | undefined, goToList: () => void): void {
  goToList()
  requestAnimationFrame(() => {
    const row = id === undefined ? null : document.querySelector<HTMLElement>(`.rows a[href^="/app/n/${id}"]`)
    const target = row ?? document.querySelector<HTMLElement>('.inbox-list h1')
    target?.focus()
  })
}

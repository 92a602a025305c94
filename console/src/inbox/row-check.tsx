// The check box of a row. It is shown while the pointer is on the row, and on all rows once one is selected.
import type { NotificationView } from '../../../src/contract/notification.ts'
import { TEXTS } from '../texts.ts'
import { decryptedView } from './decryption.ts'
import { pinned, rows } from './inbox.ts'
import { selected, setSelected } from './triage.ts'

// Where a selection with the shift key begins.
let lastChecked: number | undefined

export function RowCheck({ notification }: { notification: NotificationView }) {
  const { id, title } = decryptedView(notification)
  const isSelected = selected.value.has(id)
  const check = (event: MouseEvent) => {
    const range = event.shiftKey && lastChecked !== undefined ? idsBetween(lastChecked, id) : [id]
    setSelected(range, !isSelected)
    lastChecked = id
  }
  return (
    <input
      type="checkbox"
      class="row-check"
      aria-label={TEXTS.inbox.select(title)}
      checked={isSelected}
      onClick={check}
    />
  )
}

function idsBetween(from: number, to: number): number[] {
  const ids = [...pinned.value, ...rows.value.flatMap(({ newest, earlier }) => [newest, ...earlier])].map(
    ({ id }) => id,
  )
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b) as [number, number]
  return start === -1 ? [to] : ids.slice(start, end + 1)
}

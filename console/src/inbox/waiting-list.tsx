// What waits for an answer, above the list of days, with the buttons in the row.
import { TEXTS } from '../texts/base.ts'
import { Actions } from './actions.tsx'
import { decryptedView } from './decryption.ts'
import { pinned, pinnedRows, setFilter } from './inbox.ts'
import { RowLink } from './rows/row.tsx'
import { RowTools } from './rows/tools.tsx'

export function WaitingList({ selectedId }: { selectedId?: number }) {
  const all = pinned.value
  if (all.length === 0) return null
  const title = TEXTS.inbox.waiting(all.length)
  return (
    <section class="waiting" aria-label={title}>
      <h2 class="day">
        {title}
        {all.length > pinnedRows.value.length && (
          <button type="button" class="text-button" onClick={() => setFilter({ waiting: true })}>
            {TEXTS.inbox.allWaiting(all.length)}
          </button>
        )}
      </h2>
      <ul class="row-list">
        {pinnedRows.value.map((one) => (
          <li key={one.id} class="row-item">
            <RowTools notification={one} />
            <RowLink notification={one} isSelected={one.id === selectedId} hasMarks={false} />
            {/* The open notification has its buttons beside the list. */}
            {one.id !== selectedId && <Actions notification={decryptedView(one)} size="small" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

// What can be done with the selected rows.
import { useState } from 'preact/hooks'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { clearSelection, markRead, markUnread, removeAll, selected } from './triage.ts'

export function BulkBar() {
  const [isDeleting, setDeleting] = useState(false)
  const ids = [...selected.value]
  if (ids.length === 0) return null
  const run = async (work: () => Promise<void>) => {
    if (await attempt(work)) clearSelection()
  }
  return (
    <div class="bulk" role="toolbar" aria-label={TEXTS.inbox.selected(ids.length)}>
      <span class="bulk-count" role="status">
        {TEXTS.inbox.selected(ids.length)}
      </span>
      <Button size="small" onClick={() => run(() => markRead(ids))}>
        {TEXTS.inbox.markRead}
      </Button>
      <Button size="small" onClick={() => run(() => markUnread(ids))}>
        {TEXTS.inbox.markUnread}
      </Button>
      <Button size="small" look="danger" icon="trash" onClick={() => setDeleting(true)}>
        {TEXTS.detail.delete}
      </Button>
      <Button size="small" look="quiet" icon="close" label={TEXTS.inbox.clearSelection} onClick={clearSelection} />
      {isDeleting && (
        <Confirm
          title={TEXTS.inbox.deleteManyTitle(ids.length)}
          confirm={TEXTS.detail.delete}
          onClose={() => setDeleting(false)}
          work={() => removeAll(ids)}
          onDone={() => {
            setDeleting(false)
            clearSelection()
          }}
        >
          {TEXTS.detail.deleteText}
        </Confirm>
      )}
    </div>
  )
}

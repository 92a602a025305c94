// What can be done with the selected rows.
import { snoozeTimes } from '../mutes/times.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from '../ui/button.tsx'
import { deleteWithUndo } from './deletion.ts'
import { clearSelection, markRead, markUnread, selected, snooze } from './triage.ts'

export function BulkBar() {
  const ids = [...selected.value]
  if (ids.length === 0) return null
  const run = async (work: () => Promise<unknown>) => {
    if (await attempt(work)) clearSelection()
  }
  // Until tomorrow, which is what people want for a whole selection.
  const snoozeAll = async () => {
    const until = snoozeTimes(new Date()).at(-1)?.[1]
    if (until && (await snooze(ids, until))) clearSelection()
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
      <Button size="small" icon="snooze" onClick={snoozeAll}>
        {TEXTS.inbox.snoozeAll}
      </Button>
      <Button
        size="small"
        look="danger"
        icon="trash"
        onClick={() => {
          deleteWithUndo(ids)
          clearSelection()
        }}
      >
        {TEXTS.detail.delete}
      </Button>
      <Button size="small" look="quiet" icon="close" label={TEXTS.inbox.clearSelection} onClick={clearSelection} />
    </div>
  )
}

// What a row has beside its link: the check box, and the button that snoozes or mutes, both while the pointer is on it. On a
// touch screen a long press selects the row instead.
import { useRef, useState } from 'preact/hooks'
import type { NotificationView } from '../../../../src/contract/notifications/notification.ts'
import { TEXTS } from '../../texts/base.ts'
import { Button } from '../../ui/button.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { decryptedView } from '../decryption.ts'
import { pinned, rows } from '../inbox.ts'
import { selected, setSelected } from '../triage.ts'

export const QuietDialog = lazy(async () => (await import('../../mutes/quiet-dialog.tsx')).QuietDialog)

export function RowTools({ notification }: { notification: NotificationView }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <RowCheck notification={notification} />
      {!notification.snoozed_until && (
        <span class="row-quiet">
          <Button
            look="quiet"
            size="small"
            icon="snooze"
            label={TEXTS.inbox.quietOf(decryptedView(notification).title)}
            onClick={() => setOpen(true)}
          />
        </span>
      )}
      {isOpen && <QuietDialog notification={notification} onClose={() => setOpen(false)} />}
    </>
  )
}

const LONG_PRESS_MS = 450

// Handlers for the link of a row. Once something is selected, a tap selects more instead of opening the row.
export function useTouchSelection(id: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isHeld = useRef(false)
  const end = () => clearTimeout(timer.current)
  return {
    onPointerDown: (event: PointerEvent) => {
      isHeld.current = false
      if (event.pointerType !== 'touch') return
      timer.current = setTimeout(() => {
        isHeld.current = true
        setSelected([id], true)
      }, LONG_PRESS_MS)
    },
    onPointerUp: end,
    onPointerCancel: end,
    onPointerLeave: end,
    // The menu that a long press opens for a link.
    onContextMenu: (event: MouseEvent) => isHeld.current && event.preventDefault(),
    onClick: (event: MouseEvent) => {
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
      if (!isHeld.current && !(isTouch && selected.value.size > 0)) return
      event.preventDefault()
      if (!isHeld.current) setSelected([id], !selected.value.has(id))
      isHeld.current = false
    },
  }
}

// Where a selection with the shift key begins.
let lastChecked: number | undefined

function RowCheck({ notification }: { notification: NotificationView }) {
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

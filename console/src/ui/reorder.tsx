// Lists whose entries people put in order: with buttons, with Alt and an arrow key, or by dragging a handle.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './button.tsx'

export const movedTo = <Item,>(items: readonly Item[], from: number, to: number): Item[] =>
  items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1))

type Direction = 'up' | 'down'
type MoveLabels = { up: string; down: string }

export function useReorder<Item>(items: readonly Item[], onChange: (items: Item[]) => void) {
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<number>()
  const pressed = useRef<{ index: number; direction: Direction } | undefined>(undefined)

  // The focus stays on the button of the entry that was moved.
  useEffect(() => {
    const { index, direction } = pressed.current ?? {}
    pressed.current = undefined
    if (index === undefined) return
    const buttons = list.current?.children[index]?.querySelectorAll<HTMLButtonElement>('.move button:enabled')
    buttons?.[direction === 'down' ? buttons.length - 1 : 0]?.focus()
  })

  const move = (from: number, to: number, direction?: Direction) => {
    if (to < 0 || to >= items.length || from === to) return
    if (direction) pressed.current = { index: to, direction }
    onChange(movedTo(items, from, to))
  }

  const entryProps = (index: number) => ({
    'data-dragged': dragged === index ? true : undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
      event.preventDefault()
      if (event.key === 'ArrowUp') move(index, index - 1, 'up')
      else move(index, index + 1, 'down')
    },
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      move(dragged, index)
      setDragged(index)
    },
    onDrop: (event: DragEvent) => event.preventDefault(),
  })

  const handle = (index: number) => (
    <span
      class="drag-handle"
      draggable
      aria-hidden="true"
      onDragStart={(event) => {
        event.dataTransfer?.setData('text/plain', String(index))
        setDragged(index)
      }}
      onDragEnd={() => setDragged(undefined)}
    />
  )

  const moveButtons = (index: number, labels: MoveLabels) => (
    <span class="move">
      <Button
        size="small"
        look="quiet"
        icon="up"
        label={labels.up}
        disabled={index === 0}
        onClick={() => move(index, index - 1, 'up')}
      />
      <Button
        size="small"
        look="quiet"
        icon="down"
        label={labels.down}
        disabled={index === items.length - 1}
        onClick={() => move(index, index + 1, 'down')}
      />
    </span>
  )

  return { list, entryProps, handle, moveButtons }
}

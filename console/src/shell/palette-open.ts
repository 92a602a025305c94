// Whether the command palette is open: the menu, the page "More" and a shortcut open it.
import { signal } from '@preact/signals'

// The number of this opening; 0 while it is closed.
export const paletteOpening = signal(0)

let openings = 0
// What is typed until its code is loaded; undefined from then on.
let typed: string | undefined

export function openPalette(): void {
  if (typed !== undefined) return
  typed = ''
  addEventListener('keydown', keep, true)
  paletteOpening.value = ++openings
}

// A dialog says a moment later that it was closed; the next one may be open by then.
export function closePalette(opening = paletteOpening.value): void {
  if (opening !== paletteOpening.value) return
  paletteOpening.value = 0
  stopKeeping()
}

export function takeTyped(): string {
  const text = typed ?? ''
  stopKeeping()
  return text
}

export function stopKeeping(): void {
  typed = undefined
  removeEventListener('keydown', keep, true)
}

// The page behind does not get these keys: its shortcuts are letters too.
function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') closePalette()
  else if (event.key === 'Backspace') typed = typed?.slice(0, -1)
  else if (event.key?.length === 1) typed += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

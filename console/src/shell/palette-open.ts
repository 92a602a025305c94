// Whether the command palette is open: the menu, the page "More" and a shortcut open it.
import { signal } from '@preact/signals'

export const paletteIsOpen = signal(false)

export function openPalette(): void {
  paletteIsOpen.value = true
}

// Keyboard shortcuts of a component. They are off while a field has the focus or a dialog is open. Their listeners are there when
// the component is drawn, so that no key is lost.
import { useLayoutEffect } from 'preact/hooks'

export type Keys = Record<string, (event: KeyboardEvent) => void>

export function useKeys(keys: Keys): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]')) return true
  const taking = key === 'Enter' ? 'a, button, summary, input, textarea, select' : 'input, textarea, select'
  return target instanceof HTMLElement && target.matches(taking)
}

// Ctrl K, or ⌘ K on a Mac: also while a field has the focus, but not over an open dialog. The browser's own is suppressed, because
// it leads away from the page.
export function usePaletteKey(open: () => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isLetterK(event) || event.altKey || event.shiftKey || event.ctrlKey === event.metaKey) return
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

// On keyboards of other scripts the key where K is elsewhere. Chromium sends events without a key when it fills in a form.
const isLetterK = ({ key, code }: KeyboardEvent): boolean =>
  /^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK'

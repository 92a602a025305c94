// The theme: light, dark or that of the system. Stored in this browser; theme.js applies it before the first paint.
import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const theme = signal<Theme>((localStorage.getItem('theme') as Theme | null) ?? 'system')

effect(() => {
  if (theme.value === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset.theme
    return
  }
  localStorage.setItem('theme', theme.value)
  document.documentElement.dataset.theme = theme.value
})

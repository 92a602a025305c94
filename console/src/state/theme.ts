// The theme: light, dark or that of the system. Stored in this browser; theme.js applies it before the first paint.
import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export const theme = signal<Theme>((localStorage.getItem('theme') as Theme | null) ?? 'system')

// The colour of the browser's own frame, one of index.html for each theme of the system.
const frames = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map((meta) => ({
  meta,
  media: meta.media,
}))

effect(() => {
  for (const { meta, media } of frames) {
    const isChosen = media.includes(theme.value)
    meta.media = theme.value === 'system' ? media : isChosen ? 'all' : 'not all'
  }
  if (theme.value === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset.theme
    return
  }
  localStorage.setItem('theme', theme.value)
  document.documentElement.dataset.theme = theme.value
})

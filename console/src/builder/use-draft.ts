// The draft of the builder that is open. Changes are kept until they are saved or discarded.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Draft } from './draft.ts'

export function useDraft(initial: Draft) {
  const { path } = useLocation()
  const [kept] = useState(() => keptDraft(path))
  const [draft, setDraft] = useState(kept ?? initial)
  const [isRestored, setRestored] = useState(kept !== undefined)
  const change = (part: Partial<Draft>) =>
    setDraft((before) => {
      const after = { ...before, ...part }
      keepDraft(path, after)
      return after
    })
  const forget = () => forgetDraft(path)
  const discard = () => {
    forget()
    setDraft(initial)
    setRestored(false)
  }
  return { draft, change, forget, discard, isRestored }
}

// Kept for this tab by the path of the page, so that a reload or Back loses nothing.
const keyOf = (path: string): string => `draft:${path}`

function keptDraft(path: string): Draft | undefined {
  const text = sessionStorage.getItem(keyOf(path))
  return text === null ? undefined : JSON.parse(text)
}

const keepDraft = (path: string, draft: Draft): void => sessionStorage.setItem(keyOf(path), JSON.stringify(draft))

const forgetDraft = (path: string): void => sessionStorage.removeItem(keyOf(path))

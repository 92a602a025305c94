// The draft of the builder that is open. Changes are kept until they are saved or discarded.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Draft } from './draft.ts'
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts'

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

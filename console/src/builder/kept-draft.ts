// Drafts that were not saved, kept for this tab by the path of the page, so that a reload or Back loses nothing.
import type { Draft } from './draft.ts'

const keyOf = (path: string): string => `draft:${path}`

export function keptDraft(path: string): Draft | undefined {
  const text = sessionStorage.getItem(keyOf(path))
  return text === null ? undefined : JSON.parse(text)
}

export const keepDraft = (path: string, draft: Draft): void =>
  sessionStorage.setItem(keyOf(path), JSON.stringify(draft))

export const forgetDraft = (path: string): void => sessionStorage.removeItem(keyOf(path))

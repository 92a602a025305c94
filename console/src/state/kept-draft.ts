// The draft of a form, kept in this tab until it is saved or discarded: nobody loses what they have typed when they leave the
// page or have to sign in again.
import { useState } from 'preact/hooks'
import { session } from './session.ts'

export type KeptDraft<Draft> = {
  draft: Draft
  change(part: Partial<Draft>): void
  // Call it after the draft is saved, or when the person cancels.
  forget(): void
  // Begins anew.
  discard(): void
  // It was typed earlier.
  isRestored: boolean
}

// `name`: of the form and of what it changes. `secret`: a member that is not kept.
export function useKeptDraft<Draft extends object>(
  name: string,
  initial: () => Draft,
  secret?: keyof Draft,
): KeptDraft<Draft> {
  const key = keyOf(name)
  const [kept] = useState(() => readDraft<Draft>(key))
  const [draft, setDraft] = useState(() => ({ ...initial(), ...kept }))
  const [isRestored, setRestored] = useState(kept !== undefined)
  const forget = () => sessionStorage.removeItem(key)
  return {
    draft,
    change: (part) =>
      setDraft((before) => {
        const after = { ...before, ...part }
        sessionStorage.setItem(
          key,
          JSON.stringify(after, (member, value) => (member === secret ? undefined : value)),
        )
        return after
      }),
    forget,
    discard() {
      forget()
      setDraft(initial())
      setRestored(false)
    },
    isRestored,
  }
}

// Another person who signs in in this tab does not get it.
function keyOf(name: string): string {
  const current = session.peek()
  return `draft:${current.state === 'signed-in' ? current.account.id : ''}:${name}`
}

function readDraft<Draft>(key: string): Partial<Draft> | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : JSON.parse(text)
}

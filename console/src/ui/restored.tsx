// Says that a form begins with what was typed earlier, and offers to begin anew.
import type { KeptDraft } from '../state/kept-draft.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from './button.tsx'

export function Restored({ kept }: { kept: Pick<KeptDraft<object>, 'isRestored' | 'discard'> }) {
  if (!kept.isRestored) return null
  return (
    <p class="note" role="status">
      <span>{TEXTS.restored}</span>
      <Button size="small" onClick={kept.discard}>
        {TEXTS.discard}
      </Button>
    </p>
  )
}

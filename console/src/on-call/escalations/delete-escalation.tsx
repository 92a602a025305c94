// Confirmation before deleting a policy. If something uses it, says what, and offers to delete it anyway.
import { useState } from 'preact/hooks'
import { ApiError, api } from '../../api/client.ts'
import { showToast } from '../../state/toasts.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { Confirm } from '../../ui/dialog.tsx'

const words = ESCALATION_TEXTS

type Uses = Parameters<typeof words.usedBy>[0]
type DeleteEscalationProps = { name: string; path: string; onClose: () => void; onChange: () => Promise<void> }

export function DeleteEscalation({ name, path, onClose, onChange }: DeleteEscalationProps) {
  const [uses, setUses] = useState<Uses>()
  const remove = async () => {
    const found = await usesOf(api.delete(uses ? `${path}?force=true` : path))
    if (found) return setUses(found)
    showToast(words.deleted)
    await onChange()
    onClose()
  }
  return (
    <Confirm
      title={words.deleteTitle(name)}
      confirm={uses ? words.deleteAnyway : words.delete}
      work={remove}
      onClose={onClose}
      onDone={() => {}}
    >
      {uses ? <span role="alert">{words.usedBy(uses)}</span> : words.deleteText}
    </Confirm>
  )
}

// Undefined: it is deleted.
async function usesOf(deletion: Promise<void>): Promise<Uses | undefined> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'escalation.in_use') throw error
    return (error.body as { used_by: Uses }).used_by
  }
}

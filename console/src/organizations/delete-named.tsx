// Confirmation before deleting a group or a tag. If something still names it, says what, and offers to delete it anyway.
import { useState } from 'preact/hooks'
import { ApiError, api } from '../api/client.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Confirm } from '../ui/dialog.tsx'

type DeleteNamedProps = {
  title: string
  text: string
  path: string
  onClose: () => void
  onChange: () => Promise<void>
}
type Uses = Parameters<typeof ORG_TEXTS.usedBy>[0]

export function DeleteNamed({ title, text, path, onClose, onChange }: DeleteNamedProps) {
  const [uses, setUses] = useState<Uses>()
  const remove = async () => {
    const found = uses ? undefined : await usesOf(api.delete(path))
    if (found) return setUses(found)
    if (uses) await api.delete(`${path}?force=true`)
    await onChange()
    onClose()
  }
  return (
    <Confirm
      title={title}
      confirm={uses ? ORG_TEXTS.deleteAnyway : ORG_TEXTS.delete}
      work={remove}
      onClose={onClose}
      onDone={() => {}}
    >
      {uses ? <span role="alert">{ORG_TEXTS.usedBy(uses)}</span> : text}
    </Confirm>
  )
}

// Undefined: it is deleted.
async function usesOf(deletion: Promise<void>): Promise<Uses | undefined> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'org.in_use') throw error
    return (error.body as { used_by: Uses }).used_by
  }
}

// Dialog that renames a group.
import type { GroupPatch, GroupView } from '../../../../src/contract/organizations/group.ts'
import { api } from '../../api/client.ts'
import { TEXTS } from '../../texts/base.ts'
import { ORG_TEXTS } from '../../texts/organizations.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NameForm } from '../name-form.tsx'

const { groups: words } = ORG_TEXTS

type RenameGroupProps = { path: string; group: GroupView; onClose: () => void; onChange: () => Promise<void> }

export function RenameGroup({ path, group, onClose, onChange }: RenameGroupProps) {
  const save = async (name: string) => {
    const patch: GroupPatch = { name }
    await api.patch(`${path}/${group.id}`, patch)
    await onChange()
    onClose()
  }
  return (
    <Dialog title={words.editTitle(group.name)} onClose={onClose}>
      <NameForm label={words.name} hint={words.nameHint} submit={TEXTS.save} current={group.name} save={save} />
    </Dialog>
  )
}

// Dialog in which the members of a group are chosen. Every change is saved at once, one member at a time: an organization
// may have thousands, of which the list shows a part.
import type { GroupView } from '../../../../src/contract/organizations/group.ts'
import type { MemberView } from '../../../../src/contract/organizations/organization.ts'
import { api } from '../../api/client.ts'
import { TEXTS } from '../../texts/base.ts'
import { ORG_TEXTS } from '../../texts/organizations.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Refusal, useRefusal } from '../../ui/refusal.tsx'
import { useMembers } from '../lists.ts'
import { MemberChoices } from '../member-choices.tsx'
import { orgRefusal } from '../refusal-words.ts'

const { groups: words } = ORG_TEXTS

type GroupMembersProps = { orgId: string; group: GroupView; onClose: () => void; onChange: () => Promise<void> }

export function GroupMembers({ orgId, group, onClose, onChange }: GroupMembersProps) {
  const members = useMembers(orgId)
  const { refusal, attempt } = useRefusal(orgRefusal)
  const path = `/orgs/${orgId}/groups/${group.id}/members`
  const save = async (before: string[], after: string[]) => {
    for (const id of after.filter((one) => !before.includes(one))) await api.put(`${path}/${id}`)
    for (const id of before.filter((one) => !after.includes(one))) await api.delete(`${path}/${id}`)
    await Promise.all([members.reload(), onChange()])
  }
  const chosen = members.value?.items.filter(({ group_ids }) => group_ids.includes(group.id)).map(idOf) ?? []
  return (
    <Dialog title={words.membersOf(group.name)} onClose={onClose}>
      <MemberChoices
        label={TEXTS.nav.members}
        members={members}
        chosen={chosen}
        onChange={(after) => attempt(() => save(chosen, after))}
      />
      <Refusal words={refusal} />
    </Dialog>
  )
}

const idOf = ({ user_id }: MemberView): string => user_id

// The members of an organization, and invitations.
import { useState } from 'preact/hooks'
import type { MemberView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Waiting } from '../ui/page.tsx'
import { Invitations } from './invitations.tsx'
import { LeaveOrganization } from './leave.tsx'
import { useGroups, useMembers } from './lists.ts'
import { MemberRow, memberName } from './member-row.tsx'
import { MemberSearchField, MoreMembers, useMemberSearch } from './member-search.tsx'
import { MuteDialog } from './mute.tsx'
import { mayManage } from './roles.ts'
import type { TabProps } from './tab.ts'

type Open = { what: 'remove' | 'mute' | 'leave'; member: MemberView }

export function MembersTab({ organization, onChange }: TabProps) {
  const { id, role } = organization
  const members = useMembers(id)
  const search = useMemberSearch(members)
  const groups = useGroups(id)
  const [open, setOpen] = useState<Open>()
  if (!members.value || !groups.value) return <Waiting error={members.error ?? groups.error} retry={members.reload} />
  const changed = async () => {
    await Promise.all([members.reload(), onChange()])
  }
  return (
    <>
      {mayManage(role) && <Invitations organization={organization} groups={groups.value} />}
      <section class="card">
        <MemberSearchField members={members} search={search} />
        <ul class="person-rows">
          {search.shown.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              groups={groups.value ?? []}
              organization={organization}
              onOpen={(what) => setOpen({ what, member })}
              onChange={changed}
            />
          ))}
        </ul>
        <MoreMembers members={members} search={search} />
      </section>
      {open?.what === 'remove' && (
        <RemoveMember orgId={id} member={open.member} onClose={() => setOpen(undefined)} onChange={changed} />
      )}
      {open?.what === 'mute' && <MuteDialog orgId={id} onClose={() => setOpen(undefined)} onChange={changed} />}
      {open?.what === 'leave' && <LeaveOrganization organization={organization} onClose={() => setOpen(undefined)} />}
    </>
  )
}

type RemoveMemberProps = { orgId: string; member: MemberView; onClose: () => void; onChange: () => Promise<void> }

function RemoveMember({ orgId, member, onClose, onChange }: RemoveMemberProps) {
  const { member: words } = ORG_TEXTS
  const remove = async () => {
    await api.delete(`/orgs/${orgId}/members/${member.user_id}`)
    await onChange()
  }
  return (
    <Confirm title={words.removeTitle(memberName(member))} confirm={JOIN_TEXTS.remove} work={remove} onClose={onClose}>
      {words.removeText}
    </Confirm>
  )
}

// Checkboxes for the members of an organization, with a search.
import { ChoiceList } from '../ui/choice-list.tsx'
import { Waiting } from '../ui/page.tsx'
import type { useMembers } from './lists.ts'
import { memberName } from './member-row.tsx'
import { MemberSearchField, MoreMembers, useMemberSearch } from './member-search.tsx'

type MemberChoicesProps = {
  label: string
  members: ReturnType<typeof useMembers>
  chosen: string[]
  onChange: (chosen: string[]) => void
}

export function MemberChoices({ label, members, chosen, onChange }: MemberChoicesProps) {
  const search = useMemberSearch(members)
  if (!members.value) return <Waiting error={members.error} retry={members.reload} rows={1} />
  return (
    <>
      <MemberSearchField members={members} search={search} />
      <ChoiceList
        label={label}
        options={search.shown.map((member) => [member.user_id, memberName(member)])}
        chosen={chosen}
        onChange={onChange}
      />
      <MoreMembers members={members} search={search} />
    </>
  )
}

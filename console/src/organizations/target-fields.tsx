// Fields to choose groups, tags and members.
import { ORG_TEXTS } from '../texts/organizations.ts'
import { ChoiceList } from '../ui/choice-list.tsx'
import { Waiting } from '../ui/page.tsx'
import { useGroups, useMembers, useTags } from './lists.ts'
import { MemberChoices } from './member-choices.tsx'
import type { TargetDraft } from './target.ts'

const { target: words } = ORG_TEXTS

type TargetFieldsProps = {
  orgId: string
  // How groups and tags are named: notifications name them, keys refer to them.
  by: 'id' | 'name'
  hint: string
  draft: TargetDraft
  onChange: (draft: TargetDraft) => void
}

export function TargetFields({ orgId, by, hint, draft, onChange }: TargetFieldsProps) {
  const groups = useGroups(orgId)
  const tags = useTags(orgId)
  const members = useMembers(orgId)
  if (!groups.value || !tags.value) {
    return <Waiting error={groups.error ?? tags.error} rows={1} />
  }
  return (
    <>
      <p class="field-hint">{hint}</p>
      <ChoiceList
        label={words.groups}
        options={groups.value.map((group) => [group[by], group.name])}
        chosen={draft.groups}
        onChange={(chosen) => onChange({ ...draft, groups: chosen })}
      />
      <ChoiceList
        label={words.tags}
        options={tags.value.map((tag) => [tag[by], tag.name])}
        chosen={draft.tags}
        onChange={(chosen) => onChange({ ...draft, tags: chosen })}
      />
      <MemberChoices
        label={words.members}
        members={members}
        chosen={draft.members}
        onChange={(chosen) => onChange({ ...draft, members: chosen })}
      />
    </>
  )
}

// Search of members by nickname. The API does not search them, so it is a search of those that are loaded, with a button
// that loads more.
import { useState } from 'preact/hooks'
import type { MemberView } from '../../../src/contract/organizations/organization.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import type { useMembers } from './lists.ts'
import { memberName } from './member-row.tsx'

const { member: words } = ORG_TEXTS

type Members = ReturnType<typeof useMembers>

// `shown`: the loaded members that match.
export function useMemberSearch({ value }: Members) {
  const [text, setText] = useState('')
  return { text, setText, shown: (value?.items ?? []).filter((member) => matchesName(member, text)) }
}

export function matchesName(member: Pick<MemberView, 'nickname' | 'user_id'>, text: string): boolean {
  return memberName(member).toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())
}

// A short list is read faster than it is searched.
const FEW = 6

type SearchProps = { members: Members; search: ReturnType<typeof useMemberSearch> }

export function MemberSearchField({ members: { value }, search: { text, setText } }: SearchProps) {
  if (!value?.hasMore && (value?.items.length ?? 0) <= FEW) return null
  return <TextField label={words.search} value={text} onInput={setText} maxLength={64} />
}

// Says how many were searched, if there are more.
export function MoreMembers({ members: { value, more }, search: { text, shown } }: SearchProps) {
  if (!value) return null
  return (
    <>
      {shown.length === 0 && <p class="muted">{words.noneFound}</p>}
      {value.hasMore && (
        <p class="more-members">
          {text.trim() !== '' && <span class="muted">{words.searched(value.items.length)}</span>}
          <Button size="small" onClick={more}>
            {ORG_TEXTS.more}
          </Button>
        </p>
      )}
    </>
  )
}

// The people with whom an activity or a pattern is shared: their role can be changed, and they can be removed.
import type { SharePatch, ShareRole, ShareView } from '../../../src/contract/shares.ts'
import { api } from '../api/client.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ConfirmButton } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { Ago } from '../ui/time.tsx'
import { shareRefusal } from './refusal-words.ts'

const ROLES = Object.entries(SHARE_TEXTS.roles) as [ShareRole, string][]

type PeopleProps = {
  shares: ShareView[]
  // Whether rows of pattern shares say so: among the shares of one activity.
  showsPattern?: boolean
  onChange: () => Promise<void>
}

export function People({ shares, showsPattern, onChange }: PeopleProps) {
  if (shares.length === 0) return <p class="muted">{SHARE_TEXTS.noPeople}</p>
  return (
    <ul class="person-rows">
      {shares.map((share) => (
        <Person
          key={share.id}
          share={share}
          pattern={showsPattern ? share.slug_pattern : undefined}
          onChange={onChange}
        />
      ))}
    </ul>
  )
}

type PersonProps = { share: ShareView; pattern?: string; onChange: () => Promise<void> }

function Person({ share, pattern, onChange }: PersonProps) {
  const { refusal, attempt } = useRefusal(shareRefusal)
  const { id, recipient_id, recipient_nickname, slug_pattern } = share
  const name = recipient_nickname ?? JOIN_TEXTS.noNickname(recipient_id)
  const setRole = async (role: ShareRole) => {
    const patch: SharePatch = { role }
    await api.patch(`/shares/${id}`, patch)
    await onChange()
  }
  const remove = async () => {
    await api.delete(`/shares/${id}`)
    await onChange()
  }
  return (
    <li>
      <div class="person-row">
        <Avatar name={recipient_nickname ?? '?'} />
        <span class="person-row-words">
          <strong>{name}</strong>
          <span class="muted">
            {pattern && `${SHARE_TEXTS.byPattern(pattern)} · `}
            {JOIN_TEXTS.joined} <Ago at={share.created_at} />
          </span>
        </span>
        <SelectField
          label={JOIN_TEXTS.roleOf(name)}
          isLabelHidden
          value={share.role}
          options={ROLES}
          onChange={(role) => attempt(() => setRole(role))}
        />
        <ConfirmButton
          size="small"
          look="danger"
          icon="trash"
          label={JOIN_TEXTS.removeLabel(name)}
          title={SHARE_TEXTS.removeTitle(name)}
          confirm={JOIN_TEXTS.remove}
          work={remove}
        >
          {slug_pattern ? SHARE_TEXTS.removePatternText(slug_pattern) : SHARE_TEXTS.removeText}
        </ConfirmButton>
      </div>
      <Refusal words={refusal} />
    </li>
  )
}

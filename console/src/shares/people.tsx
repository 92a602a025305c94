// The people with whom an activity or a pattern is shared: their role can be changed, and they can be removed.
import { useState } from 'preact/hooks'
import type { SharePatch, ShareRole, ShareView } from '../../../src/contract/share.ts'
import { api } from '../api/client.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { Ago } from '../ui/time.tsx'
import { Refusal, useRefusal } from './refusal.tsx'

const ROLES = Object.entries(SHARE_TEXTS.roles) as [ShareRole, string][]

type PeopleProps = {
  shares: ShareView[]
  // Whether rows of pattern shares say so: among the shares of one activity.
  showsPattern?: boolean
  onChange: () => Promise<void>
}

export function People({ shares, showsPattern, onChange }: PeopleProps) {
  const [removing, setRemoving] = useState<ShareView>()
  if (shares.length === 0) return <p class="muted">{SHARE_TEXTS.noPeople}</p>
  return (
    <>
      <ul class="share-rows">
        {shares.map((share) => (
          <Person
            key={share.id}
            share={share}
            pattern={showsPattern ? share.slug_pattern : undefined}
            onRemove={() => setRemoving(share)}
            onChange={onChange}
          />
        ))}
      </ul>
      {removing && <RemovePerson share={removing} onClose={() => setRemoving(undefined)} onChange={onChange} />}
    </>
  )
}

const nameOf = ({ recipient_nickname }: ShareView): string => recipient_nickname ?? SHARE_TEXTS.noNickname

type PersonProps = { share: ShareView; pattern?: string; onRemove: () => void; onChange: () => Promise<void> }

function Person({ share, pattern, onRemove, onChange }: PersonProps) {
  const { refusal, attempt } = useRefusal('share')
  const name = nameOf(share)
  const setRole = async (role: ShareRole) => {
    const patch: SharePatch = { role }
    await api.patch(`/shares/${share.id}`, patch)
    await onChange()
  }
  return (
    <li>
      <div class="share-row">
        <Avatar name={share.recipient_nickname ?? '?'} />
        <span class="share-row-words">
          <strong>{name}</strong>
          <span class="muted">
            {pattern && `${SHARE_TEXTS.byPattern(pattern)} · `}
            {SHARE_TEXTS.joined} <Ago at={share.created_at} />
          </span>
        </span>
        <SelectField
          label={SHARE_TEXTS.roleOf(name)}
          isLabelHidden
          value={share.role}
          options={ROLES}
          onChange={(role) => attempt(() => setRole(role))}
        />
        <Button size="small" look="danger" icon="trash" label={SHARE_TEXTS.removeLabel(name)} onClick={onRemove} />
      </div>
      <Refusal words={refusal} />
    </li>
  )
}

type RemovePersonProps = { share: ShareView; onClose: () => void; onChange: () => Promise<void> }

function RemovePerson({ share, onClose, onChange }: RemovePersonProps) {
  const { id, slug_pattern } = share
  const remove = async () => {
    await api.delete(`/shares/${id}`)
    await onChange()
  }
  return (
    <Confirm
      title={SHARE_TEXTS.removeTitle(nameOf(share))}
      confirm={SHARE_TEXTS.remove}
      work={remove}
      onClose={onClose}
    >
      {slug_pattern ? SHARE_TEXTS.removePatternText(slug_pattern) : SHARE_TEXTS.removeText}
    </Confirm>
  )
}

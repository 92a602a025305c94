// One member: role, groups, whether pushes reach them, and what the person may do about it.
import type { GroupView } from '../../../src/contract/organizations/group.ts'
import type {
  MemberPatch,
  MemberView,
  OrganizationView,
  OrgRole,
} from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { session } from '../state/session.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { Ago, Moment } from '../ui/time.tsx'
import { orgRefusal } from './refusal-words.ts'
import { mayRemove, ROLE_OPTIONS } from './roles.ts'

const { member: words } = ORG_TEXTS

export const memberName = ({ nickname, user_id }: Pick<MemberView, 'nickname' | 'user_id'>): string =>
  nickname ?? JOIN_TEXTS.noNickname(user_id)

const isMe = ({ user_id }: MemberView): boolean =>
  session.value.state === 'signed-in' && session.value.account.id === user_id

type MemberRowProps = {
  member: MemberView
  groups: GroupView[]
  organization: OrganizationView
  onOpen: (what: 'remove' | 'mute' | 'leave') => void
  onChange: () => Promise<void>
}

export function MemberRow({ member, groups, organization: { id, role }, onOpen, onChange }: MemberRowProps) {
  const { refusal, attempt } = useRefusal(orgRefusal)
  const name = memberName(member)
  const change = async (who: string, patch: MemberPatch) => {
    await api.patch(`/orgs/${id}/members/${who}`, patch)
    await onChange()
  }
  return (
    <li>
      <div class="person-row">
        <Avatar name={member.nickname ?? '?'} />
        <span class="person-row-words">
          <span class="person-row-name">
            <strong>{name}</strong>
            {isMe(member) && <span class="tag">{words.you}</span>}
          </span>
          <MemberFacts member={member} groups={groups} />
        </span>
        {role === 'owner' ? (
          <SelectField
            label={JOIN_TEXTS.roleOf(name)}
            isLabelHidden
            value={member.role}
            options={ROLE_OPTIONS}
            onChange={(chosen: OrgRole) => attempt(() => change(member.user_id, { role: chosen }))}
          />
        ) : (
          <span class="tag tag-plain">{ORG_TEXTS.roles[member.role]}</span>
        )}
        {isMe(member) ? (
          <OwnButtons
            isMuted={member.muted_until !== undefined}
            onUnmute={() => attempt(() => change('me', { muted_until: null }))}
            onOpen={onOpen}
          />
        ) : (
          mayRemove(role, member.role) && (
            <Button
              size="small"
              look="danger"
              icon="trash"
              label={JOIN_TEXTS.removeLabel(name)}
              onClick={() => onOpen('remove')}
            />
          )
        )}
      </div>
      <Refusal words={refusal} />
    </li>
  )
}

function MemberFacts({ member, groups }: Pick<MemberRowProps, 'member' | 'groups'>) {
  const { group_ids, joined_at, reachable, muted_until } = member
  const names = groups.filter(({ id }) => group_ids.includes(id)).map(({ name }) => name)
  return (
    <span class="muted">
      {names.length > 0 && `${names.join(', ')} · `}
      {JOIN_TEXTS.joined} <Ago at={joined_at} />
      {!reachable && ` · ${words.unreachable}`}
      {muted_until && (
        <>
          {' · '}
          {words.mutedUntil} <Moment at={muted_until} />
        </>
      )}
    </span>
  )
}

type OwnButtonsProps = { isMuted: boolean; onUnmute: () => Promise<unknown>; onOpen: MemberRowProps['onOpen'] }

function OwnButtons({ isMuted, onUnmute, onOpen }: OwnButtonsProps) {
  return (
    <>
      <Button size="small" onClick={() => (isMuted ? onUnmute() : onOpen('mute'))}>
        {isMuted ? words.unmute : words.mute}
      </Button>
      <Button size="small" look="danger" icon="out" label={JOIN_TEXTS.leave} onClick={() => onOpen('leave')} />
    </>
  )
}

// Groups of members and device tags: what a notification can be sent to.
import { useState } from 'preact/hooks'
import type { GroupInput, GroupView, TagInput, TagView } from '../../../../src/contract/organizations/group.ts'
import { api } from '../../api/client.ts'
import { ORG_TEXTS } from '../../texts/organizations.ts'
import { Button } from '../../ui/button.tsx'
import { Waiting } from '../../ui/page.tsx'
import { DeleteNamed } from '../delete-named.tsx'
import { useGroups, useTags } from '../lists.ts'
import { NameForm } from '../name-form.tsx'
import { mayManage } from '../roles.ts'
import type { TabProps } from '../tab.ts'
import { GroupMembers } from './group-members.tsx'
import { RenameGroup } from './rename-group.tsx'

export function GroupsTab({ organization }: TabProps) {
  const isManager = mayManage(organization.role)
  return (
    <>
      <Groups orgId={organization.id} isManager={isManager} />
      <Tags orgId={organization.id} isManager={isManager} />
    </>
  )
}

type PartProps = { orgId: string; isManager: boolean }
type OpenGroup = { what: 'members' | 'rename' | 'delete'; group: GroupView }

function Groups({ orgId, isManager }: PartProps) {
  const { groups: words } = ORG_TEXTS
  const path = `/orgs/${orgId}/groups`
  const { value, error, reload } = useGroups(orgId)
  const [open, setOpen] = useState<OpenGroup>()
  const close = () => setOpen(undefined)
  const add = async (name: string) => {
    const input: GroupInput = { name }
    await api.post(path, input)
    await reload()
  }
  return (
    <section class="card section">
      <h2>{words.title}</h2>
      <p class="muted">{words.intro}</p>
      {isManager && <NameForm label={words.create} hint={words.nameHint} submit={words.add} save={add} />}
      {!value && <Waiting error={error} retry={reload} rows={1} />}
      {value?.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="person-rows">
        {value?.map((group) => (
          <GroupRow key={group.id} group={group} onOpen={isManager ? (what) => setOpen({ what, group }) : undefined} />
        ))}
      </ul>
      {open?.what === 'members' && <GroupMembers orgId={orgId} group={open.group} onClose={close} onChange={reload} />}
      {open?.what === 'rename' && <RenameGroup path={path} group={open.group} onClose={close} onChange={reload} />}
      {open?.what === 'delete' && (
        <DeleteNamed
          title={words.deleteTitle(open.group.name)}
          text={words.deleteText}
          path={`${path}/${open.group.id}`}
          onClose={close}
          onChange={reload}
        />
      )}
    </section>
  )
}

type GroupRowProps = { group: GroupView; onOpen: ((what: OpenGroup['what']) => void) | undefined }

function GroupRow({ group: { name, member_count }, onOpen }: GroupRowProps) {
  const { groups: words } = ORG_TEXTS
  return (
    <li class="person-row">
      <span class="person-row-words">
        <strong>{name}</strong>
        <span class="muted">{ORG_TEXTS.members(member_count)}</span>
      </span>
      {onOpen && (
        <>
          <Button size="small" label={words.choose(name)} onClick={() => onOpen('members')}>
            {words.chooseShort}
          </Button>
          <Button size="small" icon="edit" label={words.edit(name)} onClick={() => onOpen('rename')} />
          <Button size="small" look="danger" icon="trash" label={words.delete(name)} onClick={() => onOpen('delete')} />
        </>
      )}
    </li>
  )
}

function Tags({ orgId, isManager }: PartProps) {
  const { tags: words } = ORG_TEXTS
  const path = `/orgs/${orgId}/tags`
  const { value, error, reload } = useTags(orgId)
  const [deleting, setDeleting] = useState<TagView>()
  const add = async (name: string) => {
    const input: TagInput = { name }
    await api.post(path, input)
    await reload()
  }
  return (
    <section class="card section">
      <h2>{words.title}</h2>
      <p class="muted">{words.intro}</p>
      {isManager && (
        <NameForm label={words.create} hint={ORG_TEXTS.tags.nameHint} submit={ORG_TEXTS.groups.add} save={add} />
      )}
      {!value && <Waiting error={error} retry={reload} rows={1} />}
      {value?.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="person-rows">
        {value?.map((tag) => (
          <li key={tag.id} class="person-row">
            <span class="person-row-words">
              <strong>{tag.name}</strong>
              <span class="muted">{words.devices(tag.device_count)}</span>
            </span>
            {isManager && (
              <Button
                size="small"
                look="danger"
                icon="trash"
                label={words.delete(tag.name)}
                onClick={() => setDeleting(tag)}
              />
            )}
          </li>
        ))}
      </ul>
      {deleting && (
        <DeleteNamed
          title={words.deleteTitle(deleting.name)}
          text={words.deleteText}
          path={`${path}/${deleting.id}`}
          onClose={() => setDeleting(undefined)}
          onChange={reload}
        />
      )}
    </section>
  )
}

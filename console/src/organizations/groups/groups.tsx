// Groups of members and device tags: what a notification can be sent to.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { GroupInput, GroupPatch, GroupView, TagInput } from '../../../../src/contract/organizations/group.ts'
import { api } from '../../api/client.ts'
import type { Loaded } from '../../state/use-loaded.ts'
import { TEXTS } from '../../texts/base.ts'
import { ORG_TEXTS } from '../../texts/organizations.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDelete, Dialog } from '../../ui/dialog.tsx'
import { Waiting } from '../../ui/page.tsx'
import { useGroups, useTags } from '../lists.ts'
import { NameForm } from '../name-form.tsx'
import { mayManage } from '../roles.ts'
import type { TabProps } from '../tab.ts'
import { GroupMembers } from './group-members.tsx'

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
type OpenGroup = { what: 'members' | 'rename'; group: GroupView }

function Groups({ orgId, isManager }: PartProps) {
  const { groups: words } = ORG_TEXTS
  const path = `/orgs/${orgId}/groups`
  const groups = useGroups(orgId)
  const [open, setOpen] = useState<OpenGroup>()
  const close = () => setOpen(undefined)
  const buttons = (group: GroupView) => (
    <>
      <Button size="small" label={words.choose(group.name)} onClick={() => setOpen({ what: 'members', group })}>
        {words.chooseShort}
      </Button>
      <Button
        size="small"
        icon="edit"
        label={words.edit(group.name)}
        onClick={() => setOpen({ what: 'rename', group })}
      />
    </>
  )
  return (
    <>
      <NamedList
        {...{ path, isManager, words, buttons }}
        list={groups}
        countOf={({ member_count }) => ORG_TEXTS.members(member_count)}
      />
      {open?.what === 'members' && (
        <GroupMembers orgId={orgId} group={open.group} onClose={close} onChange={groups.reload} />
      )}
      {open?.what === 'rename' && (
        <RenameGroup path={path} group={open.group} onClose={close} onChange={groups.reload} />
      )}
    </>
  )
}

function Tags({ orgId, isManager }: PartProps) {
  const { tags: words } = ORG_TEXTS
  return (
    <NamedList
      {...{ isManager, words }}
      path={`/orgs/${orgId}/tags`}
      list={useTags(orgId)}
      countOf={({ device_count }) => words.devices(device_count)}
    />
  )
}

type Named = { id: string; name: string }
type NamedListProps<Item> = {
  // Collection of the API.
  path: string
  list: Loaded<Item[]>
  isManager: boolean
  words: Record<'title' | 'intro' | 'create' | 'nameHint' | 'none' | 'deleteText', string> &
    Record<'delete' | 'deleteTitle', (name: string) => string>
  // How many belong to it, in words.
  countOf: (item: Item) => string
  // For managers, besides the one that deletes it.
  buttons?: (item: Item) => ComponentChildren
}

// Groups or tags: a field that adds one, and a row for each.
function NamedList<Item extends Named>({ path, list, isManager, words, countOf, buttons }: NamedListProps<Item>) {
  const { value, error, reload } = list
  const [deleting, setDeleting] = useState<Item>()
  const add = async (name: string) => {
    const input: GroupInput | TagInput = { name }
    await api.post(path, input)
    await reload()
  }
  return (
    <section class="card section">
      <h2>{words.title}</h2>
      <p class="muted">{words.intro}</p>
      {isManager && <NameForm label={words.create} hint={words.nameHint} submit={ORG_TEXTS.groups.add} save={add} />}
      {!value && <Waiting error={error} retry={reload} rows={1} />}
      {value?.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="person-rows">
        {value?.map((item) => (
          <li key={item.id} class="person-row">
            <span class="person-row-words">
              <strong>{item.name}</strong>
              <span class="muted">{countOf(item)}</span>
            </span>
            {isManager && buttons?.(item)}
            {isManager && (
              <Button
                size="small"
                look="danger"
                icon="trash"
                label={words.delete(item.name)}
                onClick={() => setDeleting(item)}
              />
            )}
          </li>
        ))}
      </ul>
      {deleting && (
        <ConfirmDelete
          title={words.deleteTitle(deleting.name)}
          text={words.deleteText}
          path={`${path}/${deleting.id}`}
          words={ORG_TEXTS}
          onClose={() => setDeleting(undefined)}
          onDeleted={reload}
        />
      )}
    </section>
  )
}

type RenameGroupProps = { path: string; group: GroupView; onClose: () => void; onChange: () => Promise<void> }

function RenameGroup({ path, group, onClose, onChange }: RenameGroupProps) {
  const { groups: words } = ORG_TEXTS
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

// Invitations: creates codes by which people join, and lists the open ones.
import { useState } from 'preact/hooks'
import type { GroupView } from '../../../src/contract/organizations/group.ts'
import type { InvitationInput, InvitationView } from '../../../src/contract/organizations/invitation.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { CodeForm } from '../joining/code-form.tsx'
import { OpenCodes } from '../joining/open-codes.tsx'
import { ShownCode } from '../joining/shown-code.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceList } from '../ui/choice-list.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { Waiting } from '../ui/page.tsx'
import { orgRefusal } from './refusal-words.ts'

const { invite } = ORG_TEXTS

type InvitationsProps = { organization: OrganizationView; groups: GroupView[] }
// What the dialog shows: the invitation with this id, or the form for a new one.
type Open = { shownId: string | undefined }

export function Invitations({ organization, groups }: InvitationsProps) {
  const path = `/orgs/${organization.id}/invitations`
  const load = async () => (await api.get<{ items: InvitationView[] }>(path)).items
  const { value, error, reload } = useLoaded(load, { on: ['org.invitation', 'org.member_joined'], key: path })
  const [open, setOpen] = useState<Open>()
  // Undefined as soon as the code is used up or deleted, which closes the dialog.
  const shown = value?.find(({ id }) => id === open?.shownId)
  const create = async (input: InvitationInput) => {
    const { id } = await api.post<InvitationView>(path, input)
    await reload()
    setOpen({ shownId: id })
  }
  return (
    <section class="card section">
      <div class="section-head">
        <h2>{invite.openOnes}</h2>
        <Button look="primary" icon="plus" onClick={() => setOpen({ shownId: undefined })}>
          {invite.open}
        </Button>
      </div>
      {value ? (
        <OpenCodes
          codes={value}
          path={path}
          describe={(invitation) => describe(invitation, groups)}
          onShow={({ id }) => setOpen({ shownId: id })}
          onChange={reload}
        />
      ) : (
        <Waiting error={error} retry={reload} rows={1} />
      )}
      {open && !open.shownId && (
        <Dialog title={invite.title} onClose={() => setOpen(undefined)} isWide>
          <InvitationForm organization={organization} groups={groups} create={create} />
        </Dialog>
      )}
      {shown && (
        <Dialog title={invite.shownTitle} onClose={() => setOpen(undefined)} isWide>
          <ShownCode
            code={shown.code}
            url={shown.join_url}
            lead={invite.lead(shown.max_uses - shown.use_count, shown.role)}
            expiresAt={shown.expires_at}
          />
        </Dialog>
      )}
    </section>
  )
}

function describe({ role, group_ids = [] }: InvitationView, groups: GroupView[]): string {
  const names = groups.filter(({ id }) => group_ids.includes(id)).map(({ name }) => name)
  return [ORG_TEXTS.roles[role], ...names].join(', ')
}

type Role = InvitationView['role']
const ROLES = Object.entries(invite.roleChoices) as [Role, string][]

type InvitationFormProps = InvitationsProps & { create: (input: InvitationInput) => Promise<void> }

function InvitationForm({ organization, groups, create }: InvitationFormProps) {
  const [role, setRole] = useState<Role>('member')
  const [groupIds, setGroupIds] = useState<string[]>([])
  return (
    <CodeForm create={(terms) => create({ role, group_ids: groupIds, ...terms })} refusalInWords={orgRefusal}>
      {organization.role === 'owner' && (
        <SelectField label={invite.role} value={role} options={ROLES} onChange={setRole} />
      )}
      <ChoiceList
        label={invite.groups}
        options={groups.map(({ id, name }) => [id, name])}
        chosen={groupIds}
        onChange={setGroupIds}
      />
    </CodeForm>
  )
}

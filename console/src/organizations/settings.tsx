// Renaming, leaving and deleting an organization.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { OrganizationInput } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { LeaveOrganization } from './leave.tsx'
import { NameForm } from './name-form.tsx'
import { orgRefusal } from './refusal-words.ts'
import { mayManage } from './roles.ts'
import type { TabProps } from './tab.ts'

const { settings } = ORG_TEXTS

export function SettingsTab({ organization, onChange }: TabProps) {
  const { id, name, role } = organization
  const [open, setOpen] = useState<'leave' | 'delete'>()
  const close = () => setOpen(undefined)
  const rename = async (chosen: string) => {
    const patch: OrganizationInput = { name: chosen }
    await api.patch(`/orgs/${id}`, patch)
    await onChange()
    showToast(settings.saved)
  }
  return (
    <div class="sections">
      {mayManage(role) && (
        <section class="card section">
          <NameForm label={settings.rename} submit={TEXTS.save} current={name} save={rename} />
        </section>
      )}
      <section class="card section">
        <h2>{settings.leave}</h2>
        <p class="muted">{settings.leaveText}</p>
        <div>
          <Button icon="out" onClick={() => setOpen('leave')}>
            {JOIN_TEXTS.leave}
          </Button>
        </div>
      </section>
      {role === 'owner' && (
        <section class="card section">
          <h2>{settings.delete}</h2>
          <p class="muted">{settings.deleteText}</p>
          <div>
            <Button look="danger" icon="trash" onClick={() => setOpen('delete')}>
              {ORG_TEXTS.delete}
            </Button>
          </div>
        </section>
      )}
      {open === 'leave' && <LeaveOrganization organization={organization} onClose={close} />}
      {open === 'delete' && <DeleteOrganization id={id} name={name} onClose={close} />}
    </div>
  )
}

type DeleteOrganizationProps = { id: string; name: string; onClose: () => void }

function DeleteOrganization({ id, name, onClose }: DeleteOrganizationProps) {
  const { route } = useLocation()
  const [typed, setTyped] = useState('')
  const remove = async () => {
    await api.delete(`/orgs/${id}`)
    showToast(settings.deleted)
    route('/app/organizations')
  }
  return (
    <Dialog title={settings.deleteTitle(name)} onClose={onClose}>
      <ResourceForm
        save={remove}
        refusalInWords={orgRefusal}
        submit={ORG_TEXTS.delete}
        look="danger"
        isComplete={typed.trim() === name.trim()}
        cancel={onClose}
      >
        <p class="dialog-text">{settings.deleteText}</p>
        <TextField label={settings.typeName(name)} value={typed} onInput={setTyped} autoFocus />
      </ResourceForm>
    </Dialog>
  )
}

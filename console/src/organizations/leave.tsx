// Confirmation before leaving an organization.
import { useLocation } from 'preact-iso'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { orgRefusal } from './refusal-words.ts'

const { settings } = ORG_TEXTS

export function LeaveOrganization({ organization, onClose }: { organization: OrganizationView; onClose: () => void }) {
  const { route } = useLocation()
  const { refusal, attempt } = useRefusal(orgRefusal)
  const leave = async () => {
    await api.delete(`/orgs/${organization.id}/members/me`)
    showToast(JOIN_TEXTS.left)
    route('/app/organizations')
  }
  return (
    <Dialog title={settings.leaveTitle(organization.name)} onClose={onClose}>
      <p class="dialog-text">{settings.leaveText}</p>
      <Refusal words={refusal} />
      <footer class="dialog-foot">
        <Button onClick={onClose}>{TEXTS.cancel}</Button>
        <Button look="danger" onClick={() => attempt(leave)}>
          {JOIN_TEXTS.leave}
        </Button>
      </footer>
    </Dialog>
  )
}

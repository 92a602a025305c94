// Asks for how long the organization is muted for oneself.
import { useState } from 'preact/hooks'
import type { MemberPatch } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Confirm } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'

const { member: words } = ORG_TEXTS
const CHOICES = Object.entries(words.muteChoices)
const MS_PER_HOUR = 3_600_000

type MuteDialogProps = { orgId: string; onClose: () => void; onChange: () => Promise<void> }

export function MuteDialog({ orgId, onClose, onChange }: MuteDialogProps) {
  const [hours, setHours] = useState('8')
  const mute = async () => {
    const patch: MemberPatch = { muted_until: new Date(Date.now() + Number(hours) * MS_PER_HOUR).toISOString() }
    await api.patch(`/orgs/${orgId}/members/me`, patch)
    await onChange()
  }
  return (
    <Confirm title={words.muteTitle} confirm={words.mute} look="primary" work={mute} onClose={onClose}>
      <div class="form">
        <p>{words.muteText}</p>
        <SelectField label={words.muteFor} value={hours} options={CHOICES} onChange={setHours} />
      </div>
    </Confirm>
  )
}

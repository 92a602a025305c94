// Composes a notification to the organization, sent now or later. A dry run shows whom it would reach before it is sent.
import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { MessageFields } from '../../schedules/message-fields.tsx'
import type { When } from '../../schedules/timing.ts'
import { TimingFields } from '../../schedules/timing-fields.tsx'
import { showToast } from '../../state/toasts.ts'
import { TEXTS } from '../../texts.ts'
import { ORG_TEXTS } from '../../texts-organizations.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Refusal, useRefusal } from '../../ui/refusal.tsx'
import { orgRefusal } from '../refusal-words.ts'
import { TargetFields } from '../target-fields.tsx'
import { ButtonFields } from './button-fields.tsx'
import { type Draft, isComplete, newDraft, toNotification, toSchedule } from './draft.ts'
import { RepetitionFields } from './repetition-fields.tsx'
import { type Reach, Summary } from './summary.tsx'

const { sent: words } = ORG_TEXTS

const LEVELS = Object.entries(TEXTS.levels) as [Draft['level'], string][]
const CHOICES: When[] = ['now', 'once', 'repeat']

type ComposeProps = { orgId: string; onClose: () => void; onSent: () => Promise<unknown> }

export function Compose({ orgId, onClose, onSent }: ComposeProps) {
  const [draft, setDraft] = useState(newDraft)
  // Known after the dry run, until the draft is changed again.
  const [reach, setReach] = useState<Reach>()
  const { refusal, isBusy, attempt } = useRefusal(orgRefusal)
  const check = async () => setReach(await dryRun(orgId, draft))
  const send = async () => {
    const schedule = toSchedule(draft)
    await (schedule ? api.post(schedulesPath(orgId), schedule) : api.post(sendsPath(orgId), toNotification(draft)))
    showToast(schedule ? TEXTS.schedules.made : words.sent)
    await onSent()
    onClose()
  }
  return (
    <Dialog title={words.composeTitle} onClose={onClose} isWide>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt(reach ? send : check)
        }}
      >
        {reach ? (
          <Summary draft={draft} reach={reach} />
        ) : (
          <Fields orgId={orgId} draft={draft} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
        )}
        <Refusal words={refusal} />
        <footer class="dialog-foot">
          {reach && <Button onClick={() => setReach(undefined)}>{words.back}</Button>}
          <Button type="submit" look="primary" disabled={isBusy || !isComplete(draft)}>
            {reach ? words.submit[draft.timing.when] : words.next}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const sendsPath = (orgId: string) => `/orgs/${orgId}/notifications`
const schedulesPath = (orgId: string) => `/orgs/${orgId}/notifications/scheduled`

// The dry run of a schedule checks its times and does not know the reach, which is that of the moment when it is sent.
async function dryRun(orgId: string, draft: Draft): Promise<Reach> {
  const schedule = toSchedule(draft)
  if (schedule) await api.post(`${schedulesPath(orgId)}?dry_run=true`, schedule)
  const path = `${sendsPath(orgId)}?dry_run=true`
  const { would } = await api.post<{ would: { recipients: Reach } }>(path, toNotification(draft))
  return would.recipients
}

type FieldsProps = { orgId: string; draft: Draft; onChange: (part: Partial<Draft>) => void }

function Fields({ orgId, draft, onChange }: FieldsProps) {
  return (
    <>
      <MessageFields draft={draft} onChange={onChange} />
      <SelectField label={words.level} value={draft.level} options={LEVELS} onChange={(level) => onChange({ level })} />
      <ButtonFields buttons={draft.buttons} onChange={(buttons) => onChange({ buttons })} />
      <RepetitionFields repetition={draft.repetition} onChange={(repetition) => onChange({ repetition })} />
      <TimingFields
        timing={draft.timing}
        choices={CHOICES}
        path={schedulesPath(orgId)}
        onChange={(timing) => onChange({ timing })}
      />
      <TargetFields
        orgId={orgId}
        by="name"
        hint={ORG_TEXTS.target.hint}
        draft={draft.target}
        onChange={(target) => onChange({ target })}
      />
    </>
  )
}

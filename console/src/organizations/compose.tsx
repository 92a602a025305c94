// Composes a notification to the organization. A dry run shows whom it would reach before it is sent.
import { useState } from 'preact/hooks'
import type { NotificationInput, NotificationView } from '../../../src/contract/notification.ts'
import { api } from '../api/client.ts'
import { showToast } from '../state/toasts.ts'
import { TEXTS } from '../texts.ts'
import { ORG_TEXTS } from '../texts-organizations.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Facts } from '../ui/page.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { orgRefusal } from './refusal-words.ts'
import { EVERYONE, type TargetDraft, targetInWords, toTarget } from './target.ts'
import { TargetFields } from './target-fields.tsx'

const { sent: words } = ORG_TEXTS

type Draft = { title: string; body: string; level: NotificationView['level']; target: TargetDraft }
type Reach = { members: number; devices: number }

const NEW: Draft = { title: '', body: '', level: 'active', target: EVERYONE }
const LEVELS = Object.entries(TEXTS.levels) as [Draft['level'], string][]

type ComposeProps = { orgId: string; onClose: () => void; onSent: () => Promise<void> }

export function Compose({ orgId, onClose, onSent }: ComposeProps) {
  const [draft, setDraft] = useState(NEW)
  // Known after the dry run, until the draft is changed again.
  const [reach, setReach] = useState<Reach>()
  const { refusal, isBusy, attempt } = useRefusal(orgRefusal)
  const path = `/orgs/${orgId}/notifications`
  const check = async () => {
    const { would } = await api.post<{ would: { recipients: Reach } }>(`${path}?dry_run=true`, toInput(draft))
    setReach(would.recipients)
  }
  const send = async () => {
    await api.post(path, toInput(draft))
    showToast(words.sent)
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
          <Button type="submit" look="primary" disabled={isBusy || !draft.title.trim() || !draft.body.trim()}>
            {reach ? words.send : words.next}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

type FieldsProps = { orgId: string; draft: Draft; onChange: (part: Partial<Draft>) => void }

function Fields({ orgId, draft, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={words.title}
        value={draft.title}
        onInput={(title) => onChange({ title })}
        maxLength={256}
        required
        autoFocus
      />
      <TextField
        label={words.body}
        value={draft.body}
        onInput={(body) => onChange({ body })}
        maxLength={4096}
        required
      />
      <SelectField label={words.level} value={draft.level} options={LEVELS} onChange={(level) => onChange({ level })} />
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

function Summary({ draft, reach }: { draft: Draft; reach: Reach }) {
  return (
    <>
      <Facts
        rows={[
          [words.title, draft.title],
          [words.body, draft.body],
          [words.level, TEXTS.levels[draft.level]],
          [ORG_TEXTS.target.legend, targetInWords(toTarget(draft.target))],
        ]}
      />
      <p class="note" role="status">
        <Icon name="people" size={18} />
        <span>{words.wouldReach(reach)}</span>
      </p>
    </>
  )
}

const toInput = ({ title, body, level, target }: Draft): NotificationInput => ({
  title: title.trim(),
  body: body.trim(),
  level,
  target: toTarget(target),
})

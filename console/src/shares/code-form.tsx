// Form that creates a share code, for one activity or for a pattern of slugs.
import { useState } from 'preact/hooks'
import type { PatternCodeInput, ShareCodeInput, ShareCodeView, ShareRole } from '../../../src/contract/share.ts'
import { api } from '../api/client.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Refusal, useRefusal } from './refusal.tsx'

const { form, roleChoices } = SHARE_TEXTS

type Draft = { pattern: string; role: ShareRole; uses: string; expiresIn: keyof typeof form.validity }

const NEW_CODE: Draft = { pattern: '', role: 'viewer', uses: '1', expiresIn: 86_400 }
const ROLES = Object.entries(roleChoices) as [ShareRole, string][]
const VALIDITY = Object.entries(form.validity)

// Without `slug` the form asks for a pattern.
type CodeFormProps = { slug?: string; onCreated: (code: ShareCodeView) => Promise<void> }

export function CodeForm({ slug, onCreated }: CodeFormProps) {
  const [draft, setDraft] = useState(NEW_CODE)
  const { refusal, isBusy, attempt } = useRefusal('share')
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void attempt(async () => onCreated(await createCode(slug, draft)))
      }}
    >
      {slug === undefined && (
        <TextField
          label={form.pattern}
          hint={form.patternHint}
          placeholder={form.patternPlaceholder}
          value={draft.pattern}
          onInput={(pattern) => change({ pattern })}
          required
          autoFocus
          isCode
        />
      )}
      <SelectField label={form.role} value={draft.role} options={ROLES} onChange={(role) => change({ role })} />
      <div class="form-pair">
        <TextField
          label={form.uses}
          type="number"
          min={1}
          max={1000}
          value={draft.uses}
          onInput={(uses) => change({ uses })}
          required
        />
        <SelectField
          label={form.validFor}
          value={String(draft.expiresIn)}
          options={VALIDITY}
          onChange={(seconds) => change({ expiresIn: Number(seconds) as Draft['expiresIn'] })}
        />
      </div>
      <Refusal words={refusal} />
      <footer class="dialog-foot">
        <Button type="submit" look="primary" disabled={isBusy}>
          {form.create}
        </Button>
      </footer>
    </form>
  )
}

function createCode(slug: string | undefined, { pattern, role, uses, expiresIn }: Draft): Promise<ShareCodeView> {
  const input: ShareCodeInput = { role, max_uses: Number(uses), expires_in: expiresIn }
  if (slug !== undefined) return api.post(`/activities/${slug}/share`, input)
  const patternInput: PatternCodeInput = { ...input, slug_pattern: pattern.trim() }
  return api.post('/shares/patterns', patternInput)
}

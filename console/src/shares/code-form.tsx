// Form that creates a share code, for one activity or for a pattern of slugs.
import { useState } from 'preact/hooks'
import type { PatternCodeInput, ShareCodeInput, ShareCodeView, ShareRole } from '../../../src/contract/shares.ts'
import { api } from '../api/client.ts'
import { type CodeTerms, DEFAULT_TERMS, TermsFields, toInput } from '../joining/code-terms.tsx'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { Button } from '../ui/button.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { shareRefusal } from './refusal-words.ts'

const { form, roleChoices } = SHARE_TEXTS

type Draft = CodeTerms & { pattern: string; role: ShareRole }

const NEW_CODE: Draft = { ...DEFAULT_TERMS, pattern: '', role: 'viewer' }
const ROLES = Object.entries(roleChoices) as [ShareRole, string][]

// Without `slug` the form asks for a pattern.
type CodeFormProps = { slug?: string; onCreated: (code: ShareCodeView) => Promise<void> }

export function CodeForm({ slug, onCreated }: CodeFormProps) {
  const [draft, setDraft] = useState(NEW_CODE)
  const { refusal, isBusy, attempt } = useRefusal(shareRefusal)
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
      <TermsFields terms={draft} onChange={change} />
      <Refusal words={refusal} />
      <footer class="dialog-foot">
        <Button type="submit" look="primary" disabled={isBusy}>
          {JOIN_TEXTS.create}
        </Button>
      </footer>
    </form>
  )
}

function createCode(slug: string | undefined, draft: Draft): Promise<ShareCodeView> {
  const input: ShareCodeInput = { role: draft.role, ...toInput(draft) }
  if (slug !== undefined) return api.post(`/activities/${slug}/share`, input)
  const patternInput: PatternCodeInput = { ...input, slug_pattern: draft.pattern.trim() }
  return api.post('/shares/patterns', patternInput)
}

// Form that creates a share code, for one activity or for a pattern of slugs; and the code, to give to others.
import { useState } from 'preact/hooks'
import type { PatternCodeInput, ShareCodeInput, ShareCodeView, ShareRole } from '../../../src/contract/shares.ts'
import { api } from '../api/client.ts'
import { CodeForm } from '../joining/code-form.tsx'
import { ShownCode } from '../joining/shown-code.tsx'
import { SHARE_TEXTS } from '../texts/shares.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { shareRefusal } from './refusal-words.ts'

const { form, roleChoices } = SHARE_TEXTS

const ROLES = Object.entries(roleChoices) as [ShareRole, string][]

// Without `slug` the form asks for a pattern.
type ShareCodeFormProps = { slug?: string; onCreated: (code: ShareCodeView) => Promise<void> }

export function ShareCodeForm({ slug, onCreated }: ShareCodeFormProps) {
  const [pattern, setPattern] = useState('')
  const [role, setRole] = useState<ShareRole>('viewer')
  const create = async (terms: Omit<ShareCodeInput, 'role'>) =>
    onCreated(await createCode(slug, pattern, { role, ...terms }))
  return (
    <CodeForm create={create} refusalInWords={shareRefusal}>
      {slug === undefined && (
        <TextField
          label={form.pattern}
          hint={form.patternHint}
          placeholder={form.patternPlaceholder}
          value={pattern}
          onInput={setPattern}
          required
          autoFocus
          isCode
        />
      )}
      <SelectField label={form.role} value={role} options={ROLES} onChange={setRole} />
    </CodeForm>
  )
}

function createCode(slug: string | undefined, pattern: string, input: ShareCodeInput): Promise<ShareCodeView> {
  if (slug !== undefined) return api.post(`/activities/${slug}/share`, input)
  const patternInput: PatternCodeInput = { ...input, slug_pattern: pattern.trim() }
  return api.post('/shares/patterns', patternInput)
}

export function ShareCode({ code }: { code: ShareCodeView }) {
  const lead = SHARE_TEXTS.code.lead(code.max_uses - code.use_count, code.role)
  return <ShownCode code={code.code} url={code.share_url} lead={lead} expiresAt={code.expires_at} />
}

// The choice of an escalation policy, in forms for alerts that must be acknowledged.
import type { EscalationView } from '../../../../src/contract/escalations.ts'
import { api } from '../../api/client.ts'
import { useLoaded } from '../../state/use-loaded.ts'
import { ESCALATION_TEXTS } from '../../texts/escalations.ts'
import { SelectField } from '../../ui/field.tsx'

// `collection`: where the API has the policies. `slug`: empty for none.
type EscalationFieldProps = { collection: string; slug: string; onChange: (slug: string) => void }

export function EscalationField({ collection, slug, onChange }: EscalationFieldProps) {
  const { value } = useLoaded(() => api.get<{ items: EscalationView[] }>(collection), { key: collection })
  const policies = value?.items.map((one) => [one.slug, one.name] as const) ?? []
  // It may have been deleted since, and before the list is loaded its name is not known.
  const isListed = slug === '' || policies.some(([one]) => one === slug)
  return (
    <SelectField
      label={ESCALATION_TEXTS.field}
      hint={ESCALATION_TEXTS.fieldHint}
      value={slug}
      options={[['', ESCALATION_TEXTS.noPolicy], ...policies, ...(isListed ? [] : [[slug, slug] as const])]}
      onChange={onChange}
    />
  )
}

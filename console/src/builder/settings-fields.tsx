// The fields of a draft besides its content: slug and name, and the settings with defaults that few people change.
import { BUILDER_TEXTS } from '../texts/builder.ts'
import { CARD_TEXTS } from '../texts/cards.ts'
import { TextField } from '../ui/field.tsx'
import type { Draft } from './draft.ts'
import { NumberField, SecondsField } from './fields/number-field.tsx'
import type { BuilderKind } from './kind.ts'
import { type Check, errorAt } from './use-check.ts'

const { builder } = CARD_TEXTS

type FieldsProps = { draft: Draft; check: Check; change: (part: Partial<Draft>) => void }

export function NameFields({ draft, check, change, isNew }: FieldsProps & { isNew: boolean }) {
  const { slug, name, sharedId } = draft
  return (
    <div class="form-pair">
      {!sharedId && (
        <TextField
          label={builder.name}
          value={name}
          error={errorAt(check, 'name')}
          onInput={(text) => change({ name: text })}
          required
        />
      )}
      {isNew && (
        <TextField
          label={builder.slug}
          hint={builder.slugHint}
          value={slug}
          error={errorAt(check, 'slug')}
          onInput={(text) => change({ slug: text })}
          isCode
          required
        />
      )}
    </div>
  )
}

export function SettingsFields({ kind, draft, check, change }: FieldsProps & { kind: BuilderKind }) {
  const { settings } = draft
  return (
    <div class="form-pair builder-fields">
      {kind.settings.map((setting) => {
        // All settings but the priority are times.
        const Field = setting === 'priority' ? NumberField : SecondsField
        return (
          <Field
            key={setting}
            label={BUILDER_TEXTS.members[setting] ?? setting}
            value={settings[setting]}
            error={errorAt(check, setting)}
            onChange={(value) => change({ settings: { ...settings, [setting]: value } })}
          />
        )
      })}
    </div>
  )
}

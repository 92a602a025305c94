// The form for content. An empty field removes its member.
import type { Violation } from '../../api/client.ts'
import { BUILDER_TEXTS } from '../../texts/builder.ts'
import { type Check, errorAt, isAt } from '../use-check.ts'
import { type Content, valueAt, withValueAt } from './document.ts'
import { type ContentField, type FoldField, type GroupField, placesOf, type ScalarField } from './field.ts'
import { Fold } from './fold.tsx'
import { RowsEditor } from './rows-editor.tsx'
import { MemberField } from './scalar-field.tsx'

type FormProps = { content: Content; check: Check; onChange: (content: Content) => void }

export function ContentForm({ fields, ...form }: FormProps & { fields: ContentField[] }) {
  const scalars = fields.filter((field) => isScalar(field))
  return (
    <>
      <ScalarFields {...form} fields={scalars} />
      {fields.map((field) => {
        if (field.kind === 'rows') return <RowsEditor key={field.member} {...form} field={field} />
        if (field.kind === 'group') return <Group key={field.member} {...form} field={field} />
        return field.kind === 'fold' && <FoldedFields key={field.member} {...form} field={field} />
      })}
    </>
  )
}

const isScalar = (field: ContentField): field is ScalarField =>
  field.kind !== 'rows' && field.kind !== 'group' && field.kind !== 'fold'

function ScalarFields({ fields, content, check, onChange }: FormProps & { fields: ScalarField[] }) {
  return (
    <div class="form-pair builder-fields">
      {fields.map((field) => (
        <MemberField
          key={field.member}
          field={field}
          value={valueAt(content, field.member)}
          error={errorAt(check, `content.${field.member}`)}
          onChange={(value) => onChange(withValueAt(content, field.member, value))}
        />
      ))}
    </div>
  )
}

function Group({ field, ...form }: FormProps & { field: GroupField }) {
  return (
    <fieldset class="field-group">
      <legend class="field-label">{BUILDER_TEXTS.members[field.member]}</legend>
      <ScalarFields {...form} fields={field.fields} />
    </fieldset>
  )
}

function FoldedFields({ field, ...form }: FormProps & { field: FoldField }) {
  const violations: Violation[] = form.check.state === 'refused' ? form.check.violations : []
  const isFaulty = violations.some(({ location }) => placesOf(field).some((place) => isAt(location, place)))
  return (
    <Fold title={BUILDER_TEXTS.folds[field.member as keyof typeof BUILDER_TEXTS.folds]} isFaulty={isFaulty}>
      <ContentForm {...form} fields={field.fields} />
    </Fold>
  )
}

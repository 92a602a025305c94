// A list of content as rows that are added, removed and put in order.
import { useState } from 'preact/hooks'
import { BUILDER_TEXTS } from '../../texts/builder.ts'
import { Button } from '../../ui/button.tsx'
import { useReorder } from '../../ui/reorder.tsx'
import { type Check, errorAt, isAt } from '../use-check.ts'
import { violationInWords } from '../violation-words.ts'
import { type Content, valueAt, withValueAt } from './document.ts'
import type { RowsField } from './field.ts'
import type { Row } from './rows.ts'
import { MemberField } from './scalar-field.tsx'

type RowsEditorProps = { field: RowsField; content: Content; check: Check; onChange: (content: Content) => void }

export function RowsEditor({ field, content, check, onChange }: RowsEditorProps) {
  const words = BUILDER_TEXTS.lists[field.member] ?? { title: field.member, row: field.member, add: field.member }
  const [rows, setRows] = useRows(field, content, onChange)
  const order = useReorder(rows, setRows)
  const error = listError(field, rows, check)
  return (
    <fieldset class="row-group">
      <legend class="field-label">{words.title}</legend>
      <ul class={field.fields.length === 1 ? 'rows-list rows-short' : 'rows-list'} {...order.listProps}>
        {order.items.map((row, index) => {
          const name = BUILDER_TEXTS.row(words.row, index + 1)
          return (
            <li key={index} {...order.entryProps(index)}>
              <fieldset class="row-box">
                <legend class="hidden">{name}</legend>
                {order.handle(index)}
                <RowFields
                  {...{ field, row, index, check }}
                  onChange={(changed) => setRows(rows.with(index, changed))}
                />
                <span class="row-tools">
                  {order.moveButtons(index, { up: BUILDER_TEXTS.moveUp(name), down: BUILDER_TEXTS.moveDown(name) })}
                  <Button
                    size="small"
                    look="quiet"
                    icon="trash"
                    label={BUILDER_TEXTS.remove(name)}
                    onClick={() => setRows(rows.toSpliced(index, 1))}
                  />
                </span>
              </fieldset>
            </li>
          )
        })}
      </ul>
      {error && <p class="field-error">{error}</p>}
      {rows.length < field.most ? (
        <Button size="small" icon="plus" onClick={() => setRows([...rows, field.next(rows.at(-1))])}>
          {words.add}
        </Button>
      ) : (
        <p class="field-hint">{BUILDER_TEXTS.most(field.most)}</p>
      )}
    </fieldset>
  )
}

type RowFieldsProps = { field: RowsField; row: Row; index: number; check: Check; onChange: (row: Row) => void }

function RowFields({ field, row, index, check, onChange }: RowFieldsProps) {
  return (
    <div class="row-fields">
      {field.fields.map((cell) => (
        <MemberField
          key={cell.member}
          field={cell}
          value={valueAt(row, cell.member)}
          error={errorAt(check, `content.${field.source.placeOf(row, index, cell.member)}`)}
          onChange={(value) => onChange(withValueAt(row, cell.member, value))}
        />
      ))}
    </div>
  )
}

// Two rows may have the same name while one is typed, and then are one member of the content. The edited rows are kept as
// long as they stand for the content; other fields and the JSON may change it too.
function useRows({ source }: RowsField, content: Content, onChange: (content: Content) => void) {
  const [edited, setEdited] = useState(() => source.read(content))
  const isCurrent = JSON.stringify(source.write(content, edited)) === JSON.stringify(content)
  const rows = isCurrent ? edited : source.read(content)
  const change = (changed: Row[]) => {
    setEdited(changed)
    onChange(source.write(content, changed))
  }
  return [rows, change] as const
}

// A violation of the list itself, or of a member that has no field.
function listError({ covers, source, fields }: RowsField, rows: Row[], check: Check): string | undefined {
  if (check.state !== 'refused') return undefined
  const places = rows.flatMap((row, index) => fields.map(({ member }) => source.placeOf(row, index, member)))
  const other = check.violations.find(
    ({ location }) =>
      covers.some((member) => isAt(location, `content.${member}`)) &&
      !places.some((place) => isAt(location, `content.${place}`)),
  )
  return other && violationInWords(other.message)
}

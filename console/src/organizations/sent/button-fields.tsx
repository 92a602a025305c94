// Fields for the titles of the buttons of a notification.
import { ORG_TEXTS } from '../../texts-organizations.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'

const { sent: words } = ORG_TEXTS

// The server's limits.
const MAX_BUTTONS = 10
const MAX_TITLE_CHARS = 64

type ButtonFieldsProps = { buttons: string[]; onChange: (buttons: string[]) => void }

export function ButtonFields({ buttons, onChange }: ButtonFieldsProps) {
  return (
    <fieldset class="choices">
      <legend class="field-label">{words.buttons}</legend>
      {buttons.map((title, index) => (
        <div key={index} class="inline-form">
          <TextField
            label={words.buttonTitle(index + 1)}
            value={title}
            onInput={(text) => onChange(buttons.with(index, text))}
            maxLength={MAX_TITLE_CHARS}
          />
          <Button
            look="danger"
            icon="trash"
            label={words.removeButton(index + 1)}
            onClick={() => onChange(buttons.toSpliced(index, 1))}
          />
        </div>
      ))}
      {buttons.length < MAX_BUTTONS && (
        <div>
          <Button size="small" icon="plus" onClick={() => onChange([...buttons, ''])}>
            {words.addButton}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

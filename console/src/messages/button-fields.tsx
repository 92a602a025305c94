// Fields for the buttons of a message: a title, and what a press does.
import { MESSAGE_TEXTS } from '../texts/messages.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { type ButtonDraft, NEW_BUTTON } from './draft.ts'

const words = MESSAGE_TEXTS.buttons

// The server's limits.
const MAX_BUTTONS = 10
const MAX_TITLE_CHARS = 64

// `errorOf` gives the refusal of the server about one button.
type ButtonFieldsProps = {
  buttons: ButtonDraft[]
  errorOf: (index: number) => string | undefined
  onChange: (buttons: ButtonDraft[]) => void
}

export function ButtonFields({ buttons, errorOf, onChange }: ButtonFieldsProps) {
  return (
    <fieldset class="message-buttons">
      <legend class="field-label">{words.legend}</legend>
      {buttons.map((button, index) => (
        <OneButton
          key={index}
          number={index + 1}
          button={button}
          error={errorOf(index)}
          onChange={(changed) => onChange(buttons.with(index, changed))}
          onRemove={() => onChange(buttons.toSpliced(index, 1))}
        />
      ))}
      {buttons.length < MAX_BUTTONS && (
        <div>
          <Button size="small" icon="plus" onClick={() => onChange([...buttons, NEW_BUTTON])}>
            {words.add}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

type OneButtonProps = {
  number: number
  button: ButtonDraft
  error: string | undefined
  onChange: (button: ButtonDraft) => void
  onRemove: () => void
}

function OneButton({ number, button, error, onChange, onRemove }: OneButtonProps) {
  const { title, url, asksText, isDestructive } = button
  const change = (part: Partial<ButtonDraft>) => onChange({ ...button, ...part })
  return (
    <div class="message-button">
      <div class="form-pair">
        <TextField
          label={words.title(number)}
          value={title}
          error={error}
          onInput={(text) => change({ title: text })}
          maxLength={MAX_TITLE_CHARS}
        />
        <TextField
          label={words.url(number)}
          hint={words.urlHint}
          type="url"
          value={url}
          onInput={(text) => change({ url: text })}
          maxLength={2048}
        />
      </div>
      <div class="message-button-foot">
        <label class="choice">
          <input
            type="checkbox"
            checked={asksText}
            onChange={(event) => change({ asksText: event.currentTarget.checked })}
          />
          {words.asksText}
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isDestructive}
            onChange={(event) => change({ isDestructive: event.currentTarget.checked })}
          />
          {words.isDestructive}
        </label>
        <Button size="small" look="danger" icon="trash" label={words.remove(number)} onClick={onRemove} />
      </div>
    </div>
  )
}

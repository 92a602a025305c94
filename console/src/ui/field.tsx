// Form fields: a name, the control, and a hint or what is wrong with it.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Named = { label: string; hint?: ComponentChildren; isLabelHidden?: boolean }

type TextProps = Named & {
  value: string
  onInput: (value: string) => void
  placeholder?: string
  type?: 'text' | 'email' | 'password' | 'datetime-local'
  maxLength?: number
  required?: boolean
  autoFocus?: boolean
  isCode?: boolean
}

export function TextField({ label, hint, isLabelHidden, value, onInput, isCode, autoFocus, ...rest }: TextProps) {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, isLabelHidden }}>
      <input
        {...(rest as { type: 'text' })}
        id={id}
        class={isCode ? 'input input-code' : 'input'}
        value={value}
        autocomplete="off"
        // biome-ignore lint/a11y/noAutofocus: only in dialogs, whose first field is where one wants to be.
        autoFocus={autoFocus}
        spellcheck={!isCode}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  )
}

type ChoiceProps<Value extends string> = Named & {
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

export function SelectField<Value extends string>({
  label,
  hint,
  isLabelHidden,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, isLabelHidden }}>
      <select
        id={id}
        class="input select"
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  )
}

// A few choices side by side, all of them in sight.
export function Segments<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset class="segments">
      <legend class="field-label">{label}</legend>
      <div class="segments-row">
        {options.map(([option, text]) => (
          <label key={option} class="segment">
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function Frame({ id, label, hint, isLabelHidden, children }: Named & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label class={isLabelHidden ? 'hidden' : 'field-label'} for={id}>
        {label}
      </label>
      {children}
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

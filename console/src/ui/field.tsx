// Form fields: label, control, and a hint or an error.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Named = { label: string; hint?: ComponentChildren; isLabelHidden?: boolean; error?: string }

const described = (id: string, { hint, error }: Omit<Named, 'label'>) => ({
  'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  'aria-invalid': error ? true : undefined,
})

type TextProps = Named & {
  value: string
  onInput: (value: string) => void
  placeholder?: string
  type?: 'text' | 'email' | 'password' | 'datetime-local' | 'number' | 'time' | 'url'
  minLength?: number
  maxLength?: number
  step?: 'any'
  min?: number
  max?: number
  required?: boolean
  autoFocus?: boolean
  isCode?: boolean
}

export function TextField({
  label,
  hint,
  isLabelHidden,
  error,
  value,
  onInput,
  isCode,
  autoFocus,
  ...rest
}: TextProps) {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, isLabelHidden, error }}>
      <input
        {...(rest as { type: 'text' })}
        id={id}
        class={isCode ? 'input input-code' : 'input'}
        value={value}
        autocomplete="off"
        // biome-ignore lint/a11y/noAutofocus: only in dialogs, where the first field is the expected focus.
        autoFocus={autoFocus}
        spellcheck={!isCode}
        {...described(id, { hint, error })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </Frame>
  )
}

type AreaProps = Named & {
  value: string
  onInput: (value: string) => void
  rows: number
  placeholder?: string
  maxLength?: number
  required?: boolean
}

// Multi-line field for code.
export const CodeArea = (props: AreaProps) => <Area {...props} isCode />

// Multi-line field for text.
export const TextArea = (props: AreaProps) => <Area {...props} isCode={false} />

function Area({ label, hint, isLabelHidden, error, onInput, isCode, ...rest }: AreaProps & { isCode: boolean }) {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, isLabelHidden, error }}>
      <textarea
        {...rest}
        id={id}
        class={isCode ? 'input input-code' : 'input'}
        dir={isCode ? undefined : 'auto'}
        spellcheck={!isCode}
        autocomplete="off"
        {...described(id, { hint, error })}
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
  error,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  const id = useId()
  return (
    <Frame {...{ id, label, hint, isLabelHidden, error }}>
      <select
        id={id}
        class="input select"
        value={value}
        {...described(id, { hint, error })}
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

// Radio buttons as a segmented control.
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

type FrameProps = Named & { id: string; children: ComponentChildren }

function Frame({ id, label, hint, isLabelHidden, error, children }: FrameProps) {
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
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

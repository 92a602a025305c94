// Large options of which one is chosen, as radio buttons.
import { useId } from 'preact/hooks'
import { Icon, type IconName } from '../ui/icon.tsx'

export type Option<Value extends string> = { value: Value; name: string; text: string; icon: IconName }

type OptionsProps<Value extends string> = {
  label: string
  options: Option<Value>[]
  value: Value | undefined
  onChange: (value: Value) => void
}

export function Options<Value extends string>({ label, options, value, onChange }: OptionsProps<Value>) {
  const group = useId()
  return (
    <fieldset class="phone-options">
      <legend class="field-label">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="phone-option">
          <input
            type="radio"
            name={group}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <Icon name={option.icon} size={24} />
          <span class="phone-option-words">
            <strong>{option.name}</strong>
            <span class="muted">{option.text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

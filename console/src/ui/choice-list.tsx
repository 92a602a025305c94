// Checkboxes for any number of options; a long list scrolls.
import type { ComponentChildren } from 'preact'

type ChoiceListProps = {
  label: string
  options: [value: string, text: string][]
  chosen: string[]
  onChange: (chosen: string[]) => void
  children?: ComponentChildren
}

export function ChoiceList({ label, options, chosen, onChange, children }: ChoiceListProps) {
  if (options.length === 0) return null
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return (
    <fieldset class="choices">
      <legend class="field-label">{label}</legend>
      <div class="choices-box">
        {options.map(([value, text]) => (
          <label key={value} class="choice">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span>{text}</span>
          </label>
        ))}
        {children}
      </div>
    </fieldset>
  )
}

// A field that shows the chosen value, and opens a dialog to choose another one.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type PickerButtonProps = {
  label: string
  error?: string
  value: string
  picture: ComponentChildren
  onClick: () => void
}

export function PickerButton({ label, error, value, picture, onClick }: PickerButtonProps) {
  const id = useId()
  return (
    <div class="field">
      <span class="field-label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        class="input picker-button"
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={error && `${id}-error`}
        onClick={onClick}
      >
        {picture}
        <span id={`${id}-value`}>{value}</span>
      </button>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

// Shows the toasts. The live region is always rendered, because screen readers announce only changes of an existing one.
import { dismiss, toasts } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from './button.tsx'

export function Toaster() {
  return (
    <div class="toaster" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <span>{text}</span>
          {action && (
            <Button
              look="quiet"
              size="small"
              onClick={() => {
                action.run()
                dismiss(id)
              }}
            >
              {action.label}
            </Button>
          )}
          <Button look="quiet" size="small" icon="close" label={TEXTS.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}

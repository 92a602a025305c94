// The secret of a webhook, with a button that makes one up.
import { HOOK_TEXTS } from '../texts/hooks.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { newSecret } from './tools.ts'

type SecretFieldProps = { label: string; hint: string; value: string; onInput: (secret: string) => void }

export function SecretField({ label, hint, value, onInput }: SecretFieldProps) {
  return (
    <div class="secret-field">
      <TextField {...{ label, hint, value, onInput }} minLength={8} maxLength={256} isCode />
      <Button onClick={() => onInput(newSecret())}>{HOOK_TEXTS.generate}</Button>
    </div>
  )
}

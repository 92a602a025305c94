// A time to choose, with a button: for a mute or for quiet hours until then.
import { useState } from 'preact/hooks'
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'

// `submit`: what the button says.
export function UntilField({ submit, onChoose }: { submit: string; onChoose: (until: Date) => Promise<void> }) {
  const [until, setUntil] = useState('')
  return (
    <div class="inline-form">
      <TextField label={QUIET_TEXTS.until} type="datetime-local" value={until} onInput={setUntil} />
      <Button look="primary" disabled={until === ''} onClick={() => onChoose(new Date(until))}>
        {submit}
      </Button>
    </div>
  )
}

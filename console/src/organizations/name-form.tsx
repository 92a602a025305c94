// A field for a name with a button: adds a group or a tag, or renames an organization.
import { useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { orgRefusal } from './refusal-words.ts'

type NameFormProps = {
  label: string
  hint?: string
  submit: string
  // The present name. Without one the field is empty after each save.
  current?: string
  save: (name: string) => Promise<void>
}

export function NameForm({ label, hint, submit, current, save }: NameFormProps) {
  const [name, setName] = useState(current ?? '')
  const { refusal, isBusy, attempt } = useRefusal(orgRefusal)
  const run = async () => {
    if ((await attempt(() => save(name.trim()))) && current === undefined) setName('')
  }
  return (
    <Form class="form" onSubmit={run}>
      <div class="inline-form">
        <TextField label={label} hint={hint} value={name} onInput={setName} maxLength={64} />
        <Button type="submit" disabled={isBusy || name.trim() === '' || name.trim() === current}>
          {submit}
        </Button>
      </div>
      <Refusal words={refusal} />
    </Form>
  )
}

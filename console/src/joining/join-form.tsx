// Field for a code or a link; the page behind the link then shows what it is for.
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { JoinLink } from '../state/join-links.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { codeIn } from './join-code.ts'

export function JoinForm({ link }: { link: JoinLink }) {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const next = () => {
    link.code.value = codeIn(text)
    route(link.path)
  }
  return (
    <Form class="inline-form" onSubmit={next}>
      <TextField
        label={JOIN_TEXTS.field}
        hint={JOIN_TEXTS.hint}
        placeholder={JOIN_TEXTS.placeholder}
        value={text}
        onInput={setText}
        isCode
      />
      <Button type="submit" look="primary" disabled={text.trim() === ''}>
        {JOIN_TEXTS.next}
      </Button>
    </Form>
  )
}

// Forms: one that runs something when it is submitted, and the frame of those that save: fields, refusal and buttons.
import type { ComponentChildren } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import { messageOf } from '../api/client.ts'
import type { KeptDraft } from '../state/kept-draft.ts'
import { TEXTS } from '../texts/base.ts'
import { Button, ButtonLink } from './button.tsx'
import { Unsaved } from './dialog.tsx'
import { Refusal, useRefusal } from './refusal.tsx'
import { Restored } from './restored.tsx'

type FormProps = { class?: string; onSubmit: () => unknown; onInput?: () => void; children: ComponentChildren }

export function Form({ class: look, onSubmit, onInput, children }: FormProps) {
  return (
    <form
      class={look}
      onInput={onInput}
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
    >
      {children}
    </form>
  )
}

type ResourceFormProps = {
  children: ComponentChildren
  // What it throws is shown above the buttons.
  save: () => Promise<unknown>
  refusalInWords?: (error: unknown) => string
  // The button that saves.
  submit: string
  isComplete?: boolean
  look?: 'primary' | 'danger'
  // The page to return to, or what closes the form.
  cancel?: string | (() => void)
  // The draft that it edits: Cancel forgets it.
  kept?: Pick<KeptDraft<object>, 'isRestored' | 'discard' | 'forget'>
  class?: string
}

export function ResourceForm({
  children,
  save,
  refusalInWords = messageOf,
  submit,
  isComplete = true,
  look = 'primary',
  cancel,
  kept,
  class: layout = 'form',
}: ResourceFormProps) {
  const { refusal, isBusy, attempt } = useRefusal(refusalInWords)
  const unsaved = useContext(Unsaved)
  const forgotten = () => {
    unsaved.current = undefined
  }
  useEffect(() => forgotten, [])
  const typed = () => {
    unsaved.current = () => kept?.forget()
  }
  return (
    <Form class={layout} onInput={typed} onSubmit={() => attempt(save)}>
      {kept && <Restored kept={kept} />}
      {children}
      <Refusal words={refusal} />
      <footer class="dialog-foot">
        {typeof cancel === 'string' && (
          <ButtonLink href={cancel} onClick={kept?.forget}>
            {TEXTS.cancel}
          </ButtonLink>
        )}
        {typeof cancel === 'function' && (
          <Button
            onClick={() => {
              kept?.forget()
              cancel()
            }}
          >
            {TEXTS.cancel}
          </Button>
        )}
        <Button type="submit" look={look} disabled={isBusy || !isComplete}>
          {submit}
        </Button>
      </footer>
    </Form>
  )
}

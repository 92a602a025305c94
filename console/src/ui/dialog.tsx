// Modal dialogs on the browser's <dialog>, which handles focus, Escape and the inert background.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button } from './button.tsx'

type DialogProps = {
  title: string
  onClose: () => void
  children: ComponentChildren
  isWide?: boolean
  // Closes only with a button of its content: for something that is shown once.
  isPersistent?: boolean
}

export function Dialog({ title, onClose, children, isWide, isPersistent }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      // A click outside closes the dialog, like Escape.
      closedby={isPersistent ? 'none' : 'any'}
      // For browsers without `closedby`.
      onCancel={(event) => isPersistent && event.preventDefault()}
      onClose={onClose}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!isPersistent && <Button look="quiet" icon="close" label={TEXTS.close} onClick={onClose} />}
        </header>
        {children}
      </div>
    </dialog>
  )
}

type ConfirmProps = {
  title: string
  children: ComponentChildren
  confirm: string
  look?: 'danger' | 'primary'
  work: () => Promise<unknown>
  onClose: () => void
  // Called after success; by default the dialog closes.
  onDone?: () => void
}

// Confirmation of an action that cannot be undone. Stays open after a failure, so that the person can retry.
export function Confirm({ title, children, confirm, look = 'danger', work, onClose, onDone = onClose }: ConfirmProps) {
  const run = async () => {
    if (await attempt(work)) onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{children}</div>
      <footer class="dialog-foot">
        <Button onClick={onClose}>{TEXTS.cancel}</Button>
        <Button look={look} onClick={run} autoFocus>
          {confirm}
        </Button>
      </footer>
    </Dialog>
  )
}

// Modal dialogs on the browser's <dialog>, which handles focus, Escape and the inert background.
import { type ComponentChildren, createContext } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { ApiError, api } from '../api/client.ts'
import { attempt } from '../state/toasts.ts'
import { TEXTS } from '../texts/base.ts'
import { Button, type ButtonProps } from './button.tsx'

// Set by a form in the dialog once somebody has typed: what forgets it. The dialog then asks before it closes.
export const Unsaved = createContext<{ current?: () => void }>({})

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
  const unsaved = useRef<(() => void) | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const close = () => (unsaved.current ? setAsking(true) : onClose())
  const discard = async () => {
    unsaved.current?.()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      // A click outside closes the dialog, like Escape.
      closedby={isPersistent ? 'none' : 'any'}
      // A dialog inside this one sends the event too. A persistent dialog needs the handler in browsers without `closedby`.
      onCancel={(event) => {
        if (event.target !== event.currentTarget || !(isPersistent || unsaved.current)) return
        event.preventDefault()
        setAsking(!isPersistent)
      }}
      onClose={onClose}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {!isPersistent && <Button look="quiet" icon="close" label={TEXTS.close} onClick={close} />}
        </header>
        <Unsaved.Provider value={unsaved}>{children}</Unsaved.Provider>
      </div>
      {isAsking && (
        <Confirm
          title={TEXTS.unsaved.title}
          confirm={TEXTS.unsaved.discard}
          cancel={TEXTS.unsaved.keep}
          work={discard}
          onClose={() => setAsking(false)}
        >
          {TEXTS.unsaved.text}
        </Confirm>
      )}
    </dialog>
  )
}

type ConfirmProps = {
  title: string
  children: ComponentChildren
  confirm: string
  cancel?: string
  look?: 'danger' | 'primary'
  work: () => Promise<unknown>
  onClose: () => void
  // Called after success; by default the dialog closes.
  onDone?: () => void
}

// Confirmation of an action that cannot be undone. Stays open after a failure, so that the person can retry.
export function Confirm({
  title,
  children,
  confirm,
  cancel = TEXTS.cancel,
  look = 'danger',
  work,
  onClose,
  onDone = onClose,
}: ConfirmProps) {
  const run = async () => {
    if (await attempt(work)) onDone()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{children}</div>
      <footer class="dialog-foot">
        <Button onClick={onClose}>{cancel}</Button>
        <Button look={look} onClick={run} autoFocus>
          {confirm}
        </Button>
      </footer>
    </Dialog>
  )
}

type ConfirmButtonProps = Pick<ButtonProps, 'icon' | 'label' | 'look' | 'size'> &
  Omit<ConfirmProps, 'confirm' | 'look' | 'onClose'> & {
    // Words of the button, and of the one that confirms unless `confirm` has other words.
    text?: string
    confirm?: string
    confirmLook?: ConfirmProps['look']
  }

// Button that asks before it acts.
export function ConfirmButton({
  icon,
  label,
  look,
  size,
  text,
  confirm = text,
  confirmLook,
  ...rest
}: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...{ icon, label, look, size }} onClick={() => setAsking(true)}>
        {text}
      </Button>
      {isAsking && <Confirm {...rest} confirm={confirm ?? ''} look={confirmLook} onClose={() => setAsking(false)} />}
    </>
  )
}

type ConfirmDeleteProps<Uses> = {
  title: string
  text: string
  // Path of the API.
  path: string
  words: { delete: string; deleteAnyway: string; usedBy: (uses: Uses) => string }
  onClose: () => void
  onDeleted: () => Promise<void>
}

// Confirmation before deleting what others may name. If something names it, says what, and offers to delete it anyway.
export function ConfirmDelete<Uses>({ title, text, path, words, onClose, onDeleted }: ConfirmDeleteProps<Uses>) {
  const [uses, setUses] = useState<Uses>()
  const remove = async () => {
    const found = await usesOf<Uses>(api.delete(uses ? `${path}?force=true` : path))
    if (found) return setUses(found)
    await onDeleted()
    onClose()
  }
  return (
    <Confirm
      title={title}
      confirm={uses ? words.deleteAnyway : words.delete}
      work={remove}
      onClose={onClose}
      onDone={() => {}}
    >
      {uses ? <span role="alert">{words.usedBy(uses)}</span> : text}
    </Confirm>
  )
}

// Undefined: it is deleted.
async function usesOf<Uses>(deletion: Promise<void>): Promise<Uses | undefined> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof ApiError) || !error.code.endsWith('.in_use')) throw error
    return (error.body as { used_by: Uses }).used_by
  }
}

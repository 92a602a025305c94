// Dialog that creates a share code and then shows it: in large letters, as a link and as a QR code.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ShareCodeView } from '../../../src/contract/share.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Moment } from '../ui/time.tsx'
import { CodeForm } from './code-form.tsx'
import { codeInGroups } from './share-code.ts'

const { form, code: words } = SHARE_TEXTS

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

type CodeDialogProps = {
  title: string
  // The slug of the activity to share; without it the form asks for a pattern.
  slug?: string
  // The code to show; without it the form is shown.
  code?: ShareCodeView
  onCode: (code: ShareCodeView | undefined) => void
  onClose: () => void
  children?: ComponentChildren
}

export function CodeDialog({ title, slug, code, onCode, onClose, children }: CodeDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} isWide>
      {code ? <ShownCode code={code} /> : <CodeForm slug={slug} onCreated={onCode} />}
      {code && (
        <footer class="dialog-foot">
          <Button icon="plus" onClick={() => onCode(undefined)}>
            {form.another}
          </Button>
        </footer>
      )}
      {children}
    </Dialog>
  )
}

function ShownCode({ code }: { code: ShareCodeView }) {
  const letters = codeInGroups(code.code)
  const heading = useRef<HTMLHeadingElement>(null)
  // The form, which had the focus, is gone; a screen reader reads the code instead.
  useEffect(() => heading.current?.focus(), [code.id])
  return (
    <div class="shown-code">
      <div class="shown-code-picture">
        <QrCode text={code.share_url} label={words.qr(letters)} />
      </div>
      <div class="shown-code-words">
        <h3 class="shown-code-letters" tabIndex={-1} ref={heading}>
          {letters}
        </h3>
        <p class="muted">
          {words.lead(code.max_uses - code.use_count, code.role)} <Moment at={code.expires_at} />.
        </p>
        <p class="muted">{words.give}</p>
        <Copyable text={code.share_url} label={words.link} />
      </div>
    </div>
  )
}

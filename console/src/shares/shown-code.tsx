// A share code to give to others: in large letters, as a link and as a QR code.
import { useEffect, useRef } from 'preact/hooks'
import type { ShareCodeView } from '../../../src/contract/share.ts'
import { SHARE_TEXTS } from '../texts-shares.ts'
import { Copyable } from '../ui/copy.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Moment } from '../ui/time.tsx'
import { codeInGroups } from './share-code.ts'

const { code: words } = SHARE_TEXTS

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

export function ShownCode({ code }: { code: ShareCodeView }) {
  const letters = codeInGroups(code.code)
  const heading = useRef<HTMLHeadingElement>(null)
  // The control that had the focus may be gone; a screen reader reads the code instead.
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

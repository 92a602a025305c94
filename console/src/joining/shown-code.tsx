// A code to give to others: in large letters, as a link and as a QR code.
import { useEffect, useRef } from 'preact/hooks'
import { AddressTruth } from '../phones/address-truth.tsx'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { Copyable } from '../ui/copy.tsx'
import { lazy } from '../ui/lazy.tsx'
import { Moment } from '../ui/time.tsx'
import { codeInGroups } from './join-code.ts'

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

// `lead` says who can join, and ends before the time.
type ShownCodeProps = { code: string; url: string; lead: string; expiresAt: string }

export function ShownCode({ code, url, lead, expiresAt }: ShownCodeProps) {
  const letters = codeInGroups(code)
  const heading = useRef<HTMLHeadingElement>(null)
  // The control that had the focus may be gone; a screen reader reads the code instead.
  useEffect(() => heading.current?.focus(), [code])
  return (
    <div class="shown-code">
      <div class="shown-code-picture">
        <QrCode text={url} label={JOIN_TEXTS.qr(letters)} />
      </div>
      <div class="shown-code-words">
        <h3 class="shown-code-letters" tabIndex={-1} ref={heading}>
          {letters}
        </h3>
        <p class="muted">
          {lead} <Moment at={expiresAt} />.
        </p>
        <p class="muted">{JOIN_TEXTS.give}</p>
        <Copyable text={url} label={JOIN_TEXTS.link} />
        <AddressTruth address={url} isFor="person" />
      </div>
    </div>
  )
}

// The address of a new or rolled screen link, which is shown once, and the way onto an iPhone.
import './screens.css'
import type { ScreenWithToken } from '../../../src/contract/screens/links.ts'
import { AddressTruth } from '../phones/address-truth.tsx'
import { SCREEN_TEXTS } from '../texts/wall.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { lazy } from '../ui/lazy.tsx'
import { pictureOf } from './link.ts'

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

export function MadeLink({ link, onClose }: { link: ScreenWithToken; onClose: () => void }) {
  const page = `${link.url}/iphone`
  return (
    <Dialog title={SCREEN_TEXTS.madeTitle(link.name)} onClose={onClose} isWide isPersistent>
      <div class="screen-address">
        <Copyable text={link.url} label={SCREEN_TEXTS.address} />
        <p>{SCREEN_TEXTS.once}</p>
        <Copyable text={pictureOf(link)} label={SCREEN_TEXTS.picture} />
        <AddressTruth address={link.url} isFor="program" />
        <p class="muted">{SCREEN_TEXTS.givesAway}</p>
        <section class="screen-phone">
          <QrCode text={page} label={SCREEN_TEXTS.phoneQr} />
          <div class="screen-phone-words">
            <h3>{SCREEN_TEXTS.phone}</h3>
            <p>{SCREEN_TEXTS.phoneText}</p>
            <a href={page} target="_blank" rel="noreferrer">
              {SCREEN_TEXTS.openPhone}
            </a>
          </div>
        </section>
      </div>
      <footer class="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {SCREEN_TEXTS.kept}
        </Button>
      </footer>
    </Dialog>
  )
}

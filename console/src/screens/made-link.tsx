// The address of a new or rolled screen link or display, which is shown once, and the way onto an iPhone.
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
  const { url, server_url = '' } = link
  return (
    <Dialog title={SCREEN_TEXTS.madeTitle(link.name)} onClose={onClose} isWide isPersistent>
      <div class="screen-address">
        <Copyable text={url ?? server_url} label={SCREEN_TEXTS.address} />
        <p>{url ? SCREEN_TEXTS.once : SCREEN_TEXTS.onceForDisplay}</p>
        {url && <Copyable text={pictureOf(link, url)} label={SCREEN_TEXTS.picture} />}
        <AddressTruth address={url ?? server_url} isFor="program" />
        {url && <p class="muted">{SCREEN_TEXTS.givesAway}</p>}
        {url && <OnPhone page={`${url}/iphone`} />}
      </div>
      <footer class="dialog-foot">
        <Button look="primary" onClick={onClose}>
          {SCREEN_TEXTS.kept}
        </Button>
      </footer>
    </Dialog>
  )
}

function OnPhone({ page }: { page: string }) {
  return (
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
  )
}

// What may be heard: the mutes of the account, and the sound of alerts in this browser.
import { AlertSettings } from '../alerts/alert-settings.tsx'
import { MuteList } from '../mutes/mute-list.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { Page } from '../ui/page.tsx'

export function SoundPage() {
  return (
    <Page title={TEXTS.nav.sound} intro={ACCOUNT_TEXTS.connections.soundIntro}>
      <AlertSettings />
      <MuteList />
    </Page>
  )
}

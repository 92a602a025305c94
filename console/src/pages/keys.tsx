// Integration keys of the account.
import { KeyList } from '../keys/key-list.tsx'
import { TEXTS } from '../texts/base.ts'
import { Page } from '../ui/page.tsx'

export function KeysPage() {
  return (
    <KeyList path="/integrations/keys">
      {(create, list) => (
        <Page title={TEXTS.nav.keys} intro={TEXTS.keys.intro} actions={create}>
          {list}
        </Page>
      )}
    </KeyList>
  )
}

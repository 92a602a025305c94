// Integration keys of the account: all of them, or one.
import { useLocation } from 'preact-iso'
import { KeyList } from '../keys/key-list.tsx'
import { KeyUsage } from '../keys/key-usage.tsx'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Page } from '../ui/page.tsx'

const HOME = '/app/keys'

export function KeysPage() {
  const only = useLocation().path.slice(HOME.length + 1) || undefined
  return (
    <KeyList path="/integrations/keys" only={only}>
      {(create, list) => (
        <Page title={TEXTS.nav.keys} intro={SETUP_TEXTS.keys.intro} actions={create}>
          {only && <a href={HOME}>{SETUP_TEXTS.keys.all}</a>}
          {list}
          {only && <KeyUsage id={only} />}
        </Page>
      )}
    </KeyList>
  )
}

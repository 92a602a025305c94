// Usage: the quotas of the account's plan, and what was sent in the last 30 days.
import type { AccountView } from '../../../src/contract/accounts/account.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Facts, Page, Waiting } from '../ui/page.tsx'
import { UsageHistory } from '../usage/history.tsx'
import { Meters } from '../usage/meters.tsx'

export function UsagePage() {
  const {
    value: account,
    error,
    reload,
  } = useLoaded(() => api.get<AccountView>('/auth/me'), { on: 'notification.created' })
  return (
    <Page title={TEXTS.nav.usage} intro={account && SETUP_TEXTS.usage.plan(account.plan)}>
      {account ? <Meters usage={account} /> : <Waiting error={error} retry={reload} />}
      <UsageHistory />
      {account && <Caps caps={account.caps} />}
    </Page>
  )
}

function Caps({ caps }: Pick<AccountView, 'caps'>) {
  const { caps: names, capsTitle } = SETUP_TEXTS.usage
  const rows = (Object.keys(names) as (keyof typeof caps)[]).map((name): [string, number] => [names[name], caps[name]])
  return (
    <section>
      <h2 class="section-title">{capsTitle}</h2>
      <div class="card section">
        <Facts rows={rows} />
      </div>
    </section>
  )
}

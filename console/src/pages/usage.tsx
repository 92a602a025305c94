// Usage: the quotas of the account's plan, and what was sent in the last 30 days.
import type { AccountView } from '../../../src/contract/accounts/account.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { Page, Waiting } from '../ui/page.tsx'
import { UsageHistory } from '../usage/history.tsx'
import { Meters } from '../usage/meters.tsx'

export function UsagePage() {
  const {
    value: account,
    error,
    reload,
  } = useLoaded(() => api.get<AccountView>('/auth/me'), { on: 'notification.created' })
  return (
    <Page title={TEXTS.nav.usage} intro={account && TEXTS.usage.plan(account.subscribed)}>
      {account ? <Meters usage={account} /> : <Waiting error={error} retry={reload} />}
      <UsageHistory />
    </Page>
  )
}

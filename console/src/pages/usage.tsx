// Usage of the quotas of the account's plan.
import type { AccountView } from '../../../src/contract/account.ts'
import { api } from '../api/client.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts.ts'
import { Page, Waiting } from '../ui/page.tsx'
import { Moment } from '../ui/time.tsx'

export function UsagePage() {
  const {
    value: account,
    error,
    reload,
  } = useLoaded(() => api.get<AccountView>('/auth/me'), { on: 'notification.created' })
  return (
    <Page title={TEXTS.nav.usage} intro={account && TEXTS.usage.plan(account.subscribed)}>
      {account ? <Meters account={account} /> : <Waiting error={error} retry={reload} />}
    </Page>
  )
}

function Meters({ account }: { account: AccountView }) {
  const { usage } = TEXTS
  const isDaily = account.quota_resets_day_at !== undefined
  return (
    <>
      <div class="meters">
        <Meter
          name={usage.notifications}
          used={account.notifications_used}
          limit={account.notifications_limit}
          note={isDaily ? usage.today(account.notifications_used_month ?? 0) : usage.month}
        />
        <Meter
          name={usage.widgets}
          used={account.widget_updates_used}
          limit={account.widget_updates_limit}
          note={usage.month}
        />
        <Meter
          name={usage.activities}
          used={account.live_activity_updates_used}
          limit={account.live_activity_updates_limit}
          note={usage.month}
        />
        <Meter name={usage.emails} used={account.emails_used} limit={account.emails_limit} note={usage.month} />
      </div>
      <p class="muted">
        {isDaily ? usage.resetsDaily : usage.resets} <Moment at={account.quota_resets_at} />.
      </p>
    </>
  )
}

type MeterProps = { name: string; used: number; limit?: number; note: string }

// The meter changes colour from this share on.
const WARNING_SHARE = 0.8
const number = new Intl.NumberFormat()

function Meter({ name, used, limit, note }: MeterProps) {
  const share = limit === undefined ? 0 : used / limit
  const state = share >= 1 ? 'full' : share >= WARNING_SHARE ? 'near' : 'fine'
  return (
    <section class={`card meter meter-${state}`} aria-label={name}>
      <h2>{name}</h2>
      <p class="meter-number">
        <strong>{number.format(used)}</strong>
        <span class="muted">{limit === undefined ? TEXTS.usage.unlimited : TEXTS.usage.of(number.format(limit))}</span>
      </p>
      {limit !== undefined && <progress class="bar" value={Math.min(used, limit)} max={limit} aria-label={name} />}
      <p class="muted meter-note">{state === 'full' ? TEXTS.usage.full : note}</p>
    </section>
  )
}

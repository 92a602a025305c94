// How much of its quotas an account or an organization has used.
import type { AccountView } from '../../../src/contract/accounts/account.ts'
import { locale } from '../language.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Moment } from '../ui/time.tsx'

// Organizations have no widgets and no e-mail, and show this to owners and admins only.
export type Usage = Pick<
  AccountView,
  | 'notifications_used'
  | 'notifications_used_month'
  | 'notifications_limit'
  | 'live_activity_updates_used'
  | 'live_activity_updates_limit'
  | 'quota_resets_at'
  | 'quota_resets_day_at'
> &
  Partial<Pick<AccountView, 'widget_updates_used' | 'widget_updates_limit' | 'emails_used' | 'emails_limit'>>

const { usage: words } = SETUP_TEXTS

export function Meters({ usage }: { usage: Usage }) {
  const isDaily = usage.quota_resets_day_at !== undefined
  return (
    <>
      <div class="meters">
        <Meter
          name={words.notifications}
          used={usage.notifications_used}
          limit={usage.notifications_limit}
          note={isDaily ? words.today(usage.notifications_used_month ?? 0) : words.month}
        />
        {usage.widget_updates_used !== undefined && (
          <Meter
            name={words.widgets}
            used={usage.widget_updates_used}
            limit={usage.widget_updates_limit}
            note={words.month}
          />
        )}
        <Meter
          name={words.activities}
          used={usage.live_activity_updates_used}
          limit={usage.live_activity_updates_limit}
          note={words.month}
        />
        {usage.emails_used !== undefined && (
          <Meter name={words.emails} used={usage.emails_used} limit={usage.emails_limit} note={words.month} />
        )}
      </div>
      <p class="muted">
        {isDaily ? words.resetsDaily : words.resets} <Moment at={usage.quota_resets_at} />.
      </p>
    </>
  )
}

type MeterProps = { name: string; used: number; limit?: number; note: string }

// The meter changes colour from this share on.
const WARNING_SHARE = 0.8
const number = new Intl.NumberFormat(locale)

function Meter({ name, used, limit, note }: MeterProps) {
  const share = limit === undefined ? 0 : used / limit
  const state = share >= 1 ? 'full' : share >= WARNING_SHARE ? 'near' : 'fine'
  return (
    <section class={`card meter meter-${state}`} aria-label={name}>
      <h2>{name}</h2>
      <p class="meter-number">
        <strong>{number.format(used)}</strong>
        <span class="muted">
          {limit === undefined ? SETUP_TEXTS.usage.unlimited : SETUP_TEXTS.usage.of(number.format(limit))}
        </span>
      </p>
      {limit !== undefined && <progress class="bar" value={Math.min(used, limit)} max={limit} aria-label={name} />}
      <p class="muted meter-note">{state === 'full' ? SETUP_TEXTS.usage.full : note}</p>
    </section>
  )
}

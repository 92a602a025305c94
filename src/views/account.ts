// The account and its usage as clients see them.
import type { AccountView } from '../contract/account.ts'
import type { ListedSession } from '../contract/accounts/session.ts'
import type { UsageView } from '../contract/accounts/usage.ts'
import { QUOTAS } from '../contract/limits.ts'
import type { AccountOverview, AccountUsage } from '../domain/account.ts'
import { type DeviceDeliveries, startOfDay, type Usage } from '../domain/accounts/daily-counts.ts'
import type { Session } from '../domain/accounts/session.ts'
import type { Caller } from '../domain/caller.ts'
import { startOfNextDay, toRfc3339, yearMonth } from '../domain/instant.ts'
import { resetAt } from '../domain/quota.ts'
import { keyTargetView } from './integration-key.ts'

// `caller`: the one that asks.
export const sessionView = (session: Session, { tokenHash }: Pick<Caller, 'tokenHash'>): ListedSession => ({
  id: session.id,
  kind: session.kind,
  name: session.name ?? undefined,
  created_at: toRfc3339(session.createdAt),
  last_used_at: session.lastUsedAt === null ? undefined : toRfc3339(session.lastUsedAt),
  current: session.tokenHash === tokenHash,
})

const mostCountedFirst = (one: { count: number }, other: { count: number }) => other.count - one.count

type UsageToShow = Usage & { devices: DeviceDeliveries[] }

export const dailyUsageView = ({ days, sources, keys, devices }: UsageToShow): UsageView => ({
  days: days.map(({ day, ...counts }) => ({
    day: toRfc3339(startOfDay(day)).slice(0, 'YYYY-MM-DD'.length),
    ...counts,
  })),
  sources: sources.map(({ source, sent, byDay }) => ({ source: source || undefined, sent, by_day: byDay })),
  keys: keys.map(({ keyId, sent, muted, held, refused }) => ({
    key_id: keyId ?? undefined,
    sent,
    muted,
    held,
    refused: [...refused]
      .sort()
      .map(([code, count]) => ({ code, count }))
      .sort(mostCountedFirst),
  })),
  devices: devices.map(({ deviceId, ...counts }) => ({ device_id: deviceId, ...counts })),
})

export function accountView({ user, activityCount, key, ...used }: AccountOverview): AccountView {
  return {
    id: user.id,
    nickname: user.nickname,
    activity_count: activityCount,
    subscribed: user.plan === 'paid',
    ...usageView(used),
    ...(key && {
      integration_key: {
        id: key.id,
        name: key.name,
        is_default: key.isDefault,
        permissions: key.permissions,
        activity_slugs: key.activitySlugs.length > 0 ? key.activitySlugs : undefined,
        widget_slugs: key.widgetSlugs.length > 0 ? key.widgetSlugs : undefined,
        target: key.target ? keyTargetView(key.target) : undefined,
        expires_at: key.expiresAt === null ? undefined : toRfc3339(key.expiresAt),
      },
    }),
    ...(user.isOperator && !key && { operator: true }),
    ...(user.kind === 'organization' && { organization: { id: user.id, name: user.nickname ?? '' } }),
  }
}

export function usageView({ plan, usage, notificationsThisMonth, now }: AccountUsage) {
  const { notifications, live_activity_updates: activities, widget_updates: widgets, emails } = usage
  return {
    quota_period_month: yearMonth(now),
    notifications_used: notifications.used,
    notifications_limit: notifications.limit ?? undefined,
    live_activity_updates_used: activities.used,
    live_activity_updates_limit: activities.limit ?? undefined,
    widget_updates_used: widgets.used,
    widget_updates_limit: widgets.limit ?? undefined,
    emails_used: emails.used,
    emails_limit: emails.limit ?? undefined,
    quota_resets_at: toRfc3339(resetAt(QUOTAS[plan].notifications, now)),
    ...(plan === 'paid' && {
      notifications_used_month: notificationsThisMonth,
      quota_resets_day_at: toRfc3339(startOfNextDay(now)),
    }),
  }
}

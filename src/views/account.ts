// The account and its usage as clients see them.
import type { AccountView } from '../contract/account.ts'
import { QUOTAS } from '../contract/limits.ts'
import type { AccountOverview } from '../domain/account.ts'
import { startOfNextDay, toRfc3339, yearMonth } from '../domain/instant.ts'
import { resetAt } from '../domain/quota.ts'

export function accountView({
  user,
  activityCount,
  usage,
  notificationsThisMonth,
  key,
  now,
}: AccountOverview): AccountView {
  const { notifications, live_activity_updates: activities, widget_updates: widgets, emails } = usage
  const isPaid = user.plan === 'paid'
  return {
    id: user.id,
    nickname: user.nickname,
    activity_count: activityCount,
    subscribed: isPaid,
    quota_period_month: yearMonth(now),
    notifications_used: notifications.used,
    notifications_limit: notifications.limit ?? undefined,
    live_activity_updates_used: activities.used,
    live_activity_updates_limit: activities.limit ?? undefined,
    widget_updates_used: widgets.used,
    widget_updates_limit: widgets.limit ?? undefined,
    emails_used: emails.used,
    emails_limit: emails.limit ?? undefined,
    quota_resets_at: toRfc3339(resetAt(QUOTAS[user.plan].notifications, now)),
    ...(isPaid && {
      notifications_used_month: notificationsThisMonth,
      quota_resets_day_at: toRfc3339(startOfNextDay(now)),
    }),
    ...(key && {
      integration_key: {
        id: key.id,
        name: key.name,
        is_default: key.isDefault,
        permissions: key.permissions,
        activity_slugs: key.activitySlugs.length > 0 ? key.activitySlugs : undefined,
        widget_slugs: key.widgetSlugs.length > 0 ? key.widgetSlugs : undefined,
        expires_at: key.expiresAt === null ? undefined : toRfc3339(key.expiresAt),
      },
    }),
  }
}
